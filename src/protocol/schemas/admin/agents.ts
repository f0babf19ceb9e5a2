// Schemas of agents at an address in the Admin API: what a request sets, and what a response returns.
import * as v from 'valibot';
import { agentShown, isAllowedHeader, maxAgentTimeout, protocolNames } from '../../admin/agent.ts';
import { limits } from '../../limits.ts';
import { described, describedObject, maybe } from '../base/described.ts';
import { schemas } from '../chat.ts';

const protocol = v.picklist(protocolNames);
const show = v.pipe(v.array(v.picklist(agentShown)), v.maxLength(agentShown.length));
const options = schemas.data;
/** Ids or names. */
const knowledge = v.union([
  v.literal('all'),
  v.pipe(
    v.array(v.pipe(schemas.id, v.maxLength(limits.knowledgeBaseName))),
    v.minLength(1),
    v.maxLength(limits.agentKnowledgeBases),
  ),
]);

/** Seconds. */
const timeout = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(maxAgentTimeout));

/** @param url the schema of a web address. */
export const newAgent = <T extends v.GenericSchema<string, string>>(url: T) =>
  v.object({
    url,
    protocol: maybe(protocol),
    model: maybe(v.pipe(schemas.id, v.maxLength(limits.adminName))),
    instructions: maybe(v.pipe(schemas.whole, v.maxLength(limits.agentInstructions))),
    options: maybe(options),
    show: maybe(show),
    knowledge: maybe(knowledge),
    timeout: maybe(timeout),
    key: maybe(
      v.nullable(
        v.pipe(v.string(), v.regex(/^[\x21-\x7e]{1,4000}$/, 'Expected ASCII characters without spaces.')),
      ),
    ),
    headers: maybe(
      v.nullable(
        v.pipe(
          v.record(v.string(), v.string()),
          v.check(
            (headers) =>
              Object.keys(headers).length <= limits.agentHeaders &&
              Object.entries(headers).every(([name, value]) => isAllowedHeader(name, value)),
            'Expected names and values of headers; those of the connection and the body cannot be set.',
          ),
        ),
      ),
    ),
  });

export const agentDeployment = describedObject(
  'The agent of a bot. Its key and the values of its headers cannot be read.',
  {
    url: v.string(),
    protocol,
    model: maybe(v.string()),
    instructions: maybe(v.string(), 'Returned only to callers who may change it, like the next field.'),
    options: maybe(options, 'Merged into the body of each request last; null removes a field.'),
    show: v.array(v.picklist(agentShown)),
    knowledge: maybe(
      knowledge,
      'Ids or names of knowledge bases, or `all`: the agent gets passages of their files, and may tell ' +
        'their content to anybody who can open the chat.',
    ),
    timeout: maybe(
      timeout,
      'Seconds without a byte after which a run fails; by default those of the setting `AGENT_TIMEOUT`.',
    ),
    hasKey: described(v.boolean(), 'Whether requests have a key.'),
    headerNames: described(v.array(v.string()), 'The names of further headers.'),
  },
);

export const types = { AgentDeployment: agentDeployment };
