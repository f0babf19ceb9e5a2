// Finds the agent of a bot: the agent of its deployment, or, for the default bot, the agent of the server's settings.
import type { AgentShown, ProtocolName } from '../../../protocol/admin.ts';
import { type AgentRow, findAgent } from '../../storage/bots/agents.ts';
import type { BotRow } from '../../storage/bots/bots.ts';
import type { Database, Tx } from '../../storage/database.ts';
import { type Agent, defaultInstructionsOf } from './agent.ts';

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

function agentOf({ url, protocol, key, headers, settings }: AgentRow): Agent {
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
