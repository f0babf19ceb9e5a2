// The settings of agents: of the agent that answers for the default bot, and the limits of all agents.
import { readFile } from 'node:fs/promises';
import * as v from 'valibot';
import {
  type AgentShown,
  agentShown,
  defaultAgentShown,
  isAllowedHeader,
  maxAgentTimeout,
  protocolNames,
} from '../../../protocol/admin.ts';
import { limits } from '../../../protocol/limits.ts';
import { listOf, matching, oneOf, type SettingsOf, setting, wholeNumber } from '../../startup/setting.ts';
import { StartError } from '../../startup/start-error.ts';
import { type Agent, defaultInstructionsOf, needsModel, protocolOfAddress } from './agent.ts';
import { defaultSteps } from './run.ts';

/** A JSON object. `message`: if it is none, or `isValid` returns false. */
const jsonObject = <T = unknown>(message: string, isValid: (value: object) => boolean = () => true) =>
  v.pipe(
    v.string(),
    v.rawTransform<string, Record<string, T>>(({ dataset, addIssue, NEVER }) => {
      try {
        const value: unknown = JSON.parse(dataset.value);
        const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
        if (isObject && isValid(value)) return { ...value } as Record<string, T>;
      } catch {
        // The message below covers it.
      }
      addIssue({ message });
      return NEVER;
    }),
  );

/** The value of AGENT_SHOW that shows the text only. */
const nothing = 'none';

export const agentSettings = {
  AGENT: setting({
    doc: 'Address of an agent, or of a language model with the chat completions of OpenAI, such as `http://127.0.0.1:11434/v1` ([agents.md](../guides/agents.md)). Without `BOT` it answers the visitors of the default bot. With chat completions it also computes columns of tables ([tables.md](../guides/tables.md#computed-columns)).',
    defaultDoc: 'none',
    schema: v.pipe(
      v.string(),
      v.check(
        (text) => /^https?:\/\/[^/?#@]+(?:[/?#]|$)/.test(text) && URL.canParse(text),
        'must be an http or https address without a password',
      ),
    ),
  }),
  AGENT_PROTOCOL: setting({
    doc: `Protocol of the agent: ${protocolNames.map((name) => `\`${name}\``).join(', ')}.`,
    defaultDoc:
      'by the address: `…/v1` and `…/chat/completions` are `openai-chat`, `…/responses` is `openai-responses`; otherwise it is required',
    schema: oneOf(...protocolNames),
  }),
  AGENT_KEY: setting({
    doc: 'Key for this address, sent as `Authorization: Bearer`.',
    defaultDoc: 'none',
    schema: matching(/^[\x21-\x7e]{1,4000}$/, 'must be ASCII characters without spaces'),
    isSecret: true,
  }),
  AGENT_HEADERS: setting({
    doc: 'JSON object with further headers of each request to the agent, such as `{"X-Team": "support"}`.',
    default: '{}',
    schema: jsonObject<string>(
      'must be a JSON object with names and values of headers; those of the connection and the body cannot be set',
      (value) => Object.entries(value).every(([name, text]) => isAllowedHeader(name, text)),
    ),
    isSecret: true,
  }),
  AGENT_MODEL: setting({
    doc: 'Name of the model; required with `AGENT` for the two protocols of OpenAI.',
    defaultDoc: 'none',
    schema: v.string(),
  }),
  AGENT_INSTRUCTIONS: setting({
    doc: `Path of a text file with instructions for the agent, at most ${limits.agentInstructions} characters.`,
    defaultDoc: 'a few neutral sentences',
    schema: v.string(),
  }),
  AGENT_OPTIONS: setting({
    doc: 'JSON object that is merged into each request to the agent last, such as `{"temperature": 0}`; `null` removes a field.',
    default: '{}',
    schema: jsonObject('must be a JSON object'),
  }),
  AGENT_SHOW: setting({
    doc: `Parts of an answer that visitors see in addition to the text, separated by commas: ${agentShown.map((name) => `\`${name}\``).join(', ')}; or \`${nothing}\`. The server neither stores nor sends the rest.`,
    default: defaultAgentShown.join(','),
    schema: v.pipe(
      listOf(
        (name) => name === nothing || agentShown.includes(name as AgentShown),
        `must be names of ${agentShown.join(', ')}, separated by commas, or ${nothing}`,
      ),
      v.transform((names) => names.filter((name): name is AgentShown => name !== nothing)),
    ),
  }),
  AGENT_KNOWLEDGE: setting({
    doc: 'Knowledge bases from whose files the agent answers ([knowledge.md](../guides/knowledge.md)): ids or names, separated by commas, or `all` of the default bot. Anybody who can open the chat may get their content.',
    defaultDoc: 'none',
    schema: v.pipe(
      listOf(
        (name) => name !== '' && name.length <= limits.knowledgeBaseName,
        'must be ids or names of knowledge bases, separated by commas, or all',
      ),
      v.transform((names) => (names.length === 1 && names[0] === 'all' ? ('all' as const) : names)),
    ),
  }),
  AGENT_RUNS_PER_HOUR: setting({
    doc: 'Messages of one user in an hour that an agent answers; `0` for no limit.',
    default: '60',
    schema: wholeNumber(0, 9_999_999),
  }),
  AGENT_TOKENS_PER_DAY: setting({
    doc: 'Maximum number of tokens of an agent in a day (UTC), for all visitors of one bot; `0` for no limit. If the agent does not report its tokens, the server estimates one for every four characters.',
    default: '0',
    schema: wholeNumber(0, 999_999_999_999),
  }),
  AGENT_STEPS: setting({
    doc: 'Maximum number of requests for one answer. If a response calls tools that the server runs, the server sends another request with their results.',
    default: String(defaultSteps),
    schema: wholeNumber(1, 100),
  }),
  AGENT_TIMEOUT: setting({
    doc: `Seconds without a byte of an agent after which its run fails, before the first byte and between two: at most ${maxAgentTimeout}, the time of a whole run. A large model on your own machine can need more than the default before its first word. \`timeout\` of a [deployment](../guides/agents.md#an-agent-for-each-bot) overrides it.`,
    default: '60',
    schema: wholeNumber(1, maxAgentTimeout),
  }),
};

export type AgentSettings = SettingsOf<typeof agentSettings>;

/** Returns the agent; undefined without an address. Throws StartError if a required setting is missing. */
export async function readAgent(settings: AgentSettings): Promise<Agent | undefined> {
  const { AGENT: url, AGENT_MODEL: model, AGENT_INSTRUCTIONS: path } = settings;
  if (url === undefined) return undefined;
  const protocol = settings.AGENT_PROTOCOL ?? protocolOfAddress(url);
  if (protocol === undefined) {
    throw new StartError(
      `AGENT_PROTOCOL is required with this address of AGENT: ${protocolNames.slice(0, -1).join(', ')} or ${protocolNames.at(-1)}.`,
    );
  }
  if (model === undefined && needsModel(protocol)) {
    throw new StartError('AGENT_MODEL is required with AGENT: the name of the model.');
  }
  return {
    url,
    protocol,
    key: settings.AGENT_KEY,
    headers: settings.AGENT_HEADERS,
    model,
    instructions: path === undefined ? defaultInstructionsOf(protocol) : await readInstructions(path),
    options: settings.AGENT_OPTIONS,
    show: settings.AGENT_SHOW,
    knowledge: settings.AGENT_KNOWLEDGE,
    timeout: settings.AGENT_TIMEOUT,
  };
}

async function readInstructions(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw new StartError(`AGENT_INSTRUCTIONS: the file ${path} cannot be read.`);
  });
  if (text.length > limits.agentInstructions) {
    throw new StartError(
      `AGENT_INSTRUCTIONS: ${path} has ${text.length} characters; the limit is ${limits.agentInstructions}.`,
    );
  }
  return text.trim();
}
