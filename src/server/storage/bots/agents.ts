// SQL of agents at an address that answer for bots, and of their usage.
import type { Tx, WriteTx } from '../database.ts';
import { defineTable, insert, orNull, type RowOf, text } from '../table.ts';

const agents = defineTable('bot_agents', {
  botId: text,
  url: text,
  protocol: text,
  /** Null for none. */
  key: orNull(text),
  /** JSON: further headers. */
  headers: text,
  /** JSON: model, instructions, options, show. */
  settings: text,
});
export type AgentRow = RowOf<typeof agents>;

export async function findAgent(tx: Tx, botId: string): Promise<AgentRow | undefined> {
  return tx.get(`SELECT ${agents.columns()} FROM bot_agents WHERE bot_id = ?`, botId);
}

export async function storeAgent(tx: WriteTx, row: AgentRow): Promise<void> {
  await insert(
    tx,
    agents,
    row,
    `ON CONFLICT (bot_id) DO UPDATE SET url = excluded.url, protocol = excluded.protocol, key = excluded.key,
       headers = excluded.headers, settings = excluded.settings`,
  );
}

export async function deleteAgent(tx: WriteTx, botId: string): Promise<void> {
  await tx.run('DELETE FROM bot_agents WHERE bot_id = ?', botId);
}

/**
 * The owner and the period of a count. `until`: milliseconds since 1970, after which the count is of no use. Counts are the
 * runs of a user, and the tokens of a bot.
 */
export interface AgentPeriod {
  id: string;
  period: number;
  until: number;
}

/** Adds to a count if it is below `limit`, also where others add to it at the same time. Returns whether it was. */
export async function addAgentUsage(
  tx: WriteTx,
  { id, period, until }: AgentPeriod,
  added: number,
  limit = Number.MAX_SAFE_INTEGER,
): Promise<boolean> {
  const changes = await tx.run(
    `INSERT INTO agent_usage (id, period, used, until) VALUES (?, ?, ?, ?)
     ON CONFLICT (id, period) DO UPDATE SET used = agent_usage.used + excluded.used WHERE agent_usage.used < ?`,
    id,
    period,
    added,
    until,
    limit,
  );
  return changes > 0;
}

export async function agentUsageOf(tx: Tx, id: string, period: number): Promise<number> {
  const row = await tx.get<{ used: number }>(
    'SELECT used FROM agent_usage WHERE id = ? AND period = ?',
    id,
    period,
  );
  return row?.used ?? 0;
}

/** `now`: milliseconds since 1970. */
export async function deleteAgentUsageBefore(tx: WriteTx, now: number): Promise<void> {
  await tx.run('DELETE FROM agent_usage WHERE until < ?', now);
}
