// The limits of runs, because each run costs the operator money: runs at a time, runs in an hour, and tokens in a day.
import { createSlots, type SlotCounts } from '../../limits/slots.ts';
import {
  type AgentPeriod,
  addAgentUsage,
  agentUsageOf,
  deleteAgentUsageBefore,
} from '../../storage/bots/agents.ts';
import type { Database } from '../../storage/database.ts';
import type { AgentSettings } from './settings.ts';

/** Runs at a time: of one user, and of one bot. */
export interface AgentConcurrency {
  ofUser: number;
  ofBot: number;
}

const defaultConcurrency: AgentConcurrency = { ofUser: 3, ofBot: 50 };

/** The limit that a run would exceed. */
export type ExceededLimit = 'runs_of_user' | 'runs_of_bot' | 'runs_per_hour' | 'tokens_per_day';

export interface RunOwner {
  userId: string;
  botId: string;
}

export interface AgentRuns {
  /** Counts a run that begins. `release`: it has ended. */
  begin(owner: RunOwner): Promise<{ release(): void } | { exceeded: ExceededLimit }>;
  /** Whether a run that has used this number of tokens may use more. */
  mayContinue(botId: string, tokens: number): Promise<boolean>;
  /** Adds the tokens of a run. */
  addTokens(botId: string, tokens: number): Promise<void>;
}

const hourMs = 60 * 60 * 1_000;
const dayMs = 24 * hourMs;
/** Milliseconds between two deletions of old counts. */
const cleanupIntervalMs = 10 * 60_000;

/** `counts`: the slots of all processes, if there can be several. */
export function createAgentRuns({
  db,
  counts,
  now,
  settings: { AGENT_RUNS_PER_HOUR: runsPerHour, AGENT_TOKENS_PER_DAY: tokensPerDay },
  concurrency,
}: {
  settings: AgentSettings;
  db: Database;
  counts: SlotCounts | undefined;
  now(): number;
  concurrency?: Partial<AgentConcurrency> | undefined;
}): AgentRuns {
  const { ofUser, ofBot } = { ...defaultConcurrency, ...concurrency };
  const slots = createSlots(counts);
  let cleanedAt = 0;

  const periodOf = (id: string, length: number): AgentPeriod => {
    const period = Math.floor(now() / length);
    return { id, period, until: (period + 1) * length };
  };
  const tokensOf = (botId: string) => periodOf(`tokens ${botId}`, dayMs);

  /** Counts the run in its clock hour, unless the limit of the hour or of the day is reached. */
  async function count({ userId, botId }: RunOwner): Promise<ExceededLimit | undefined> {
    if (runsPerHour === 0 && tokensPerDay === 0) return undefined;
    const at = now();
    const isCleanup = at - cleanedAt >= cleanupIntervalMs;
    if (isCleanup) cleanedAt = at;
    return db.write(async (tx) => {
      if (isCleanup) await deleteAgentUsageBefore(tx, at);
      const tokens = tokensOf(botId);
      if (tokensPerDay > 0 && (await agentUsageOf(tx, tokens.id, tokens.period)) >= tokensPerDay)
        return 'tokens_per_day';
      if (runsPerHour === 0) return undefined;
      const isFree = await addAgentUsage(tx, periodOf(`runs ${userId}`, hourMs), 1, runsPerHour);
      return isFree ? undefined : 'runs_per_hour';
    });
  }

  return {
    async begin(owner) {
      const acquired = await slots.acquireExactly([
        { key: `agent runs of user ${owner.userId}`, max: ofUser, limit: 'runs_of_user' as const },
        { key: `agent runs of bot ${owner.botId}`, max: ofBot, limit: 'runs_of_bot' as const },
      ]);
      if ('full' in acquired) return { exceeded: acquired.full.limit };
      try {
        const exceeded = await count(owner);
        if (exceeded === undefined) return acquired;
        acquired.release();
        return { exceeded };
      } catch (error) {
        acquired.release();
        throw error;
      }
    },
    async mayContinue(botId, tokens) {
      if (tokensPerDay === 0) return true;
      const { id, period } = tokensOf(botId);
      return (await db.read((tx) => agentUsageOf(tx, id, period))) + tokens < tokensPerDay;
    },
    async addTokens(botId, tokens) {
      if (tokensPerDay === 0 || tokens === 0) return;
      await db.write((tx) => addAgentUsage(tx, tokensOf(botId), tokens));
    },
  };
}
