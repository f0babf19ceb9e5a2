// SQL of agents at an address that answer for bots. Their keys and headers are secrets: they are read for requests only.
import type { Tx, WriteTx } from '../database.ts';

export interface AgentRow {
  botId: string;
  url: string;
  protocol: string;
  /** Null for none. */
  key: string | null;
  /** JSON: further headers. */
  headers: string;
  /** JSON: model, instructions, options, show. */
  settings: string;
}

export async function findAgent(tx: Tx, botId: string): Promise<AgentRow | undefined> {
  return tx.get(
    `SELECT bot_id, url, protocol, key, headers, settings FROM bot_agents WHERE bot_id = ?`,
    botId,
  );
}

export async function storeAgent(tx: WriteTx, row: AgentRow): Promise<void> {
  await tx.run(
    `INSERT INTO bot_agents (bot_id, url, protocol, key, headers, settings) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (bot_id) DO UPDATE SET url = excluded.url, protocol = excluded.protocol, key = excluded.key,
       headers = excluded.headers, settings = excluded.settings`,
    row.botId,
    row.url,
    row.protocol,
    row.key,
    row.headers,
    row.settings,
  );
}

export async function deleteAgent(tx: WriteTx, botId: string): Promise<void> {
  await tx.run('DELETE FROM bot_agents WHERE bot_id = ?', botId);
}
