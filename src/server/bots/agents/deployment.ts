// The agent of a bot: as an administrator sets it, as responses return it, and as it is stored.
import {
  type AgentShown,
  defaultAgentShown,
  type ProtocolName,
  protocolNames,
} from '../../../protocol/admin.ts';
import { limits } from '../../../protocol/limits.ts';
import type { AgentDeployment } from '../../../protocol/types/bots.ts';
import { ApiError } from '../../api/errors.ts';
import { type AgentRow, findAgent } from '../../storage/bots/agents.ts';
import type { BotRow } from '../../storage/bots/bots.ts';
import type { Database, Tx } from '../../storage/database.ts';
import { type Agent, defaultInstructionsOf, needsModel, protocolOfAddress } from './agent.ts';

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
export function newAgentRow(botId: string, input: NewAgent, earlier: AgentRow | undefined): AgentRow {
  const {
    url,
    protocol = protocolOfAddress(url),
    model,
    instructions,
    options = {},
    knowledge,
    timeout,
  } = input;
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
    show: [...new Set(input.show ?? defaultAgentShown)],
    ...(knowledge === undefined
      ? {}
      : { knowledge: knowledge === 'all' ? knowledge : [...new Set(knowledge)] }),
    ...(timeout === undefined ? {} : { timeout }),
  };
  // A key is for one server: a caller who may change the address must not be able to send the key elsewhere.
  const sameOrigin = earlier && new URL(earlier.url).origin === new URL(url).origin ? earlier : undefined;
  const { key = sameOrigin?.key ?? null, headers } = input;
  return {
    botId,
    url,
    protocol,
    key,
    headers: headers === undefined ? (sameOrigin?.headers ?? '{}') : JSON.stringify(headers ?? {}),
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

/** The fields that are no secrets, in their stored form. */
export interface AgentSettings {
  model?: string;
  instructions?: string;
  options: Record<string, unknown>;
  show: AgentShown[];
  knowledge?: string[] | 'all';
  timeout?: number;
}

/** An agent, and whether its address is a setting of the server: then any address is allowed. */
export interface FoundAgent {
  agent: Agent;
  isOfOperator: boolean;
}

/** Whether an agent may answer the events of a bot. A deployment replaces the agent of the settings. */
export const canHaveAgent = (bot: Pick<BotRow, 'code' | 'webhookUrl'>): boolean =>
  bot.code === null && bot.webhookUrl === null;

/** Whether an agent at an address answers a bot. `operatorsFor`: the address of the bot that has the agent of the settings. */
export const isAnsweredByAgent = (
  bot: Pick<BotRow, 'webhookId' | 'code' | 'webhookUrl' | 'hasAgent'>,
  operatorsFor: string | undefined,
): boolean => canHaveAgent(bot) && (bot.hasAgent === 1 || bot.webhookId === operatorsFor);

/** Returns a function that finds the agent of a bot. `operators`: the agent of the settings, for the default bot. */
export function createAgentFinder(
  db: Database,
  webhookId: string,
  operators: Agent | undefined,
): (bot: BotRow) => Promise<FoundAgent | undefined> {
  return async (bot) => {
    if (!canHaveAgent(bot)) return undefined;
    if (bot.hasAgent === 1) {
      const row = await db.read((tx: Tx) => findAgent(tx, bot.id));
      return row && { agent: agentOf(row), isOfOperator: false };
    }
    if (!operators || bot.webhookId !== webhookId) return undefined;
    return { agent: operators, isOfOperator: true };
  };
}

/** The agent of a row. */
export function agentOf({ url, protocol, key, headers, settings }: AgentRow): Agent {
  const { model, instructions, options, show, knowledge, timeout } = JSON.parse(settings) as AgentSettings;
  return {
    url,
    protocol: protocol as ProtocolName,
    key: key ?? undefined,
    headers: JSON.parse(headers) as Record<string, string>,
    model,
    instructions: instructions ?? defaultInstructionsOf(protocol as ProtocolName),
    options,
    show,
    knowledge,
    timeout,
  };
}
