// SQL of agents at an address that answer for bots. Their keys and headers are secrets: they are read for requests only.
import { defineTable, insert, orNull, type RowOf, text } from '../columns/table.ts';
import type { Tx, WriteTx } from '../database.ts';

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
