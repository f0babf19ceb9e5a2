// SQL of what programs declare about bots. A bot without a row has declared nothing.
import type { Tx, WriteTx } from '../database.ts';

export interface DefinitionRow {
  /** JSON. */
  tags: string;
  type: string;
  isDev: 0 | 1;
  /** JSON: the declared parts, without empty ones. */
  definition: string;
}

/** The values of a bot without a row. */
export const noDefinition: DefinitionRow = { tags: '{}', type: 'adk', isDev: 0, definition: '{}' };

export async function readDefinition(tx: Tx, botId: string): Promise<DefinitionRow> {
  const row = await tx.get<DefinitionRow>(
    'SELECT tags, type, is_dev, definition FROM bot_definitions WHERE bot_id = ?',
    botId,
  );
  return row ?? noDefinition;
}

export async function storeDefinition(tx: WriteTx, botId: string, row: DefinitionRow): Promise<void> {
  await tx.run(
    `INSERT INTO bot_definitions (bot_id, tags, type, is_dev, definition) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (bot_id) DO UPDATE SET tags = excluded.tags, type = excluded.type, is_dev = excluded.is_dev,
       definition = excluded.definition`,
    botId,
    row.tags,
    row.type,
    row.isDev,
    row.definition,
  );
}

export async function deleteDefinition(tx: WriteTx, botId: string): Promise<void> {
  await tx.run('DELETE FROM bot_definitions WHERE bot_id = ?', botId);
}
