// SQL of bots: the identity and the dashboard configuration of the bot behind a webhook id.
import type { WriteTx } from './database.ts';

export interface BotRow {
  id: string;
  userId: string;
  /** The dashboard configuration, JSON. */
  configuration: string;
}

/** The bot of this webhook id; made from `fresh` when there is none yet. */
export async function ensureBot(tx: WriteTx, webhookId: string, fresh: BotRow): Promise<BotRow> {
  const columns = 'id, user_id AS "userId", configuration';
  const found = await tx.get<BotRow>(`SELECT ${columns} FROM bots WHERE webhook_id = ?`, webhookId);
  if (found) return found;
  await tx.run(
    'INSERT INTO bots (webhook_id, id, user_id, configuration) VALUES (?, ?, ?, ?)',
    webhookId,
    fresh.id,
    fresh.userId,
    fresh.configuration,
  );
  return fresh;
}

export async function setConfiguration(tx: WriteTx, botId: string, configuration: string): Promise<void> {
  await tx.run('UPDATE bots SET configuration = ? WHERE id = ?', configuration, botId);
}
