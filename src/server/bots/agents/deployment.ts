// The agent of a bot as an administrator sets it, and as responses return it.
import { type AgentDeployment, defaultAgentShown, protocolNames } from '../../../protocol/admin.ts';
import { limits } from '../../../protocol/limits.ts';
import { ApiError } from '../../api/errors.ts';
import type { AgentRow } from '../../storage/bots/agents.ts';
import { needsModel, protocolOfAddress } from './agent.ts';
import type { AgentSettings } from './stored-agent.ts';

/**
 * The fields of a request. If they are omitted, the key and the headers are kept, and all other fields get their
 * defaults.
 */
export interface NewAgent extends Partial<Omit<AgentDeployment, 'hasKey' | 'headerNames'>> {
  url: string;
  key?: string | null;
  headers?: Record<string, string> | null;
}

/** Returns the agent in its stored form. Throws InvalidPayload. `earlier`: the agent that it replaces. */
export function newAgentRow(botId: string, given: NewAgent, earlier: AgentRow | undefined): AgentRow {
  const {
    url,
    protocol = protocolOfAddress(url),
    model,
    instructions,
    options = {},
    knowledge,
    timeout,
  } = given;
  if (protocol === undefined) {
    throw invalid(
      'protocol',
      `Expected ${protocolNames.slice(0, -1).join(', ')} or ${protocolNames.at(-1)}: this address does not tell it.`,
    );
  }
  if (model === undefined && needsModel(protocol)) throw invalid('model', 'Expected the name of the model.');
  if (Buffer.byteLength(JSON.stringify(options)) > limits.agentOptionsBytes)
    throw invalid('options', `Expected at most ${limits.agentOptionsBytes} bytes.`);
  const settings: AgentSettings = {
    ...(model === undefined ? {} : { model }),
    ...(instructions === undefined ? {} : { instructions }),
    options,
    show: [...new Set(given.show ?? defaultAgentShown)],
    ...(knowledge === undefined
      ? {}
      : { knowledge: knowledge === 'all' ? knowledge : [...new Set(knowledge)] }),
    ...(timeout === undefined ? {} : { timeout }),
  };
  // A key is for one server: a caller who may change the address must not be able to send the key elsewhere.
  const kept = earlier && new URL(earlier.url).origin === new URL(url).origin ? earlier : undefined;
  const { key = kept?.key ?? null, headers } = given;
  return {
    botId,
    url,
    protocol,
    key,
    headers: headers === undefined ? (kept?.headers ?? '{}') : JSON.stringify(headers ?? {}),
    settings: JSON.stringify(settings),
  };
}

const invalid = (field: string, problem: string) =>
  new ApiError('InvalidPayload', `agent.${field}: ${problem}`);

/** Returns an agent without its secrets. `isWhole`: for callers who may change it. */
export function serializeAgent(
  { url, protocol, key, headers, settings }: AgentRow,
  isWhole: boolean,
): AgentDeployment {
  const { model, instructions, options, show, knowledge, timeout } = JSON.parse(settings) as AgentSettings;
  return {
    url,
    protocol: protocol as AgentDeployment['protocol'],
    ...(model === undefined ? {} : { model }),
    ...(isWhole && instructions !== undefined ? { instructions } : {}),
    ...(isWhole ? { options } : {}),
    show,
    ...(knowledge === undefined ? {} : { knowledge }),
    ...(timeout === undefined ? {} : { timeout }),
    hasKey: key !== null,
    headerNames: Object.keys(JSON.parse(headers) as object),
  };
}
