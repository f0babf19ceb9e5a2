// SQL of answers that bots write through the Runtime API. The clock is that of the database, because processes share it.
import type { Tx, WriteTx } from '../database.ts';
import { databaseTime } from '../dialect.ts';
import { defineTable, integer, orNull, type RowOf, text, withDefault } from '../table.ts';

const botStreams = defineTable(
  'bot_streams',
  {
    id: text,
    botId: text,
    /** The server id. */
    conversationId: text,
    createdAt: integer,
    /** The number of characters. */
    position: integer,
    /** 1 when a visitor has stopped the stream. */
    stopped: integer,
    /** JSON, or null. */
    parts: orNull(text),
    /** The number of changes of the parts. */
    partsVersion: withDefault(integer),
  },
  {
    idleUntil: integer,
  },
);
export type BotStreamRow = RowOf<typeof botStreams>;

const columns = botStreams.columns();

/** `idleTime`: milliseconds after which the stream ends if nothing happens. */
export async function insertBotStream(
  tx: WriteTx,
  {
    id,
    botId,
    conversationId,
    createdAt,
  }: Pick<BotStreamRow, 'id' | 'botId' | 'conversationId' | 'createdAt'>,
  idleTime: number,
): Promise<void> {
  await tx.run(
    `INSERT INTO bot_streams (id, bot_id, conversation_id, created_at, position, stopped, idle_until)
     VALUES (?, ?, ?, ?, 0, 0, ${databaseTime(tx)} + ?)`,
    id,
    botId,
    conversationId,
    createdAt,
    idleTime,
  );
}

/** The number of open streams of a bot. */
export async function countBotStreams(tx: Tx, botId: string): Promise<number> {
  const row = await tx.get<{ n: number }>(
    `SELECT COUNT(*) AS n FROM bot_streams WHERE bot_id = ? AND idle_until > ${databaseTime(tx)}`,
    botId,
  );
  return Number(row?.n ?? 0);
}

/** Returns a stream of a bot that has not ended. */
export async function findBotStream(tx: Tx, botId: string, id: string): Promise<BotStreamRow | undefined> {
  return tx.get(`SELECT ${columns} FROM bot_streams WHERE id = ? AND bot_id = ?`, id, botId);
}

/** Returns an open stream of a bot, holds its row, and lets it stay for another `idleTime`. */
export async function holdBotStream(
  tx: WriteTx,
  botId: string,
  id: string,
  idleTime: number,
): Promise<BotStreamRow | undefined> {
  const now = databaseTime(tx);
  return tx.get(
    `UPDATE bot_streams SET idle_until = ${now} + ? WHERE id = ? AND bot_id = ? AND idle_until > ${now}
     RETURNING ${columns}`,
    idleTime,
    id,
    botId,
  );
}

/** Marks an open stream of a conversation as stopped by a visitor. Returns it, unless it was stopped before. */
export async function stopBotStream(
  tx: WriteTx,
  conversationId: string,
  id: string,
): Promise<BotStreamRow | undefined> {
  return tx.get(
    `UPDATE bot_streams SET stopped = 1
     WHERE id = ? AND conversation_id = ? AND stopped = 0 AND idle_until > ${databaseTime(tx)} RETURNING ${columns}`,
    id,
    conversationId,
  );
}

/** Appends a piece to a stream whose row is held. Returns the piece before it; '' if it is the first. */
export async function appendPiece(tx: WriteTx, id: string, position: number, text: string): Promise<string> {
  await tx.run(
    'INSERT INTO bot_stream_pieces (stream_id, position, text) VALUES (?, ?, ?)',
    id,
    position,
    // JSON, because a piece can end within a character, and the halves alone could not be stored.
    JSON.stringify(text),
  );
  const row = await tx.get<{ before: string | null }>(
    `UPDATE bot_streams SET position = ? WHERE id = ?
     RETURNING (SELECT text FROM bot_stream_pieces
                WHERE stream_id = bot_streams.id AND position < ? ORDER BY position DESC LIMIT 1) AS before`,
    position + text.length,
    id,
    position,
  );
  return row?.before ? (JSON.parse(row.before) as string) : '';
}

/** Stores the parts (JSON) of a stream whose row is held. `isNewVersion`: they have changed for those who see them. */
export async function setStreamParts(
  tx: WriteTx,
  id: string,
  parts: string,
  isNewVersion = true,
): Promise<void> {
  await tx.run(
    'UPDATE bot_streams SET parts = ?, parts_version = parts_version + ? WHERE id = ?',
    parts,
    isNewVersion ? 1 : 0,
    id,
  );
}

/** The text of a stream so far. */
export async function textOfStream(tx: Tx, id: string): Promise<string> {
  const pieces = await tx.all<{ text: string }>(
    'SELECT text FROM bot_stream_pieces WHERE stream_id = ? ORDER BY position',
    id,
  );
  return pieces.map(({ text }) => JSON.parse(text) as string).join('');
}

/** The streams of a conversation that are written now. */
export async function openStreamsOf(tx: Tx, conversationId: string): Promise<BotStreamRow[]> {
  return tx.all(
    `SELECT ${columns} FROM bot_streams WHERE conversation_id = ? AND stopped = 0 AND idle_until > ${databaseTime(tx)}`,
    conversationId,
  );
}

export async function deleteBotStream(tx: WriteTx, id: string): Promise<void> {
  await tx.run('DELETE FROM bot_stream_pieces WHERE stream_id = ?', id);
  await tx.run('DELETE FROM bot_streams WHERE id = ?', id);
}

/** Deletes streams that have ended by themselves. Returns their number, at most `limit`. */
export async function deleteIdleStreams(tx: WriteTx, limit: number): Promise<number> {
  const ids = await tx.all<{ id: string }>(
    `SELECT id FROM bot_streams WHERE idle_until <= ${databaseTime(tx)} ORDER BY idle_until LIMIT ?`,
    limit,
  );
  for (const { id } of ids) await deleteBotStream(tx, id);
  return ids.length;
}

/** Deletes the streams of a deleted bot. */
export async function deleteStreamsOfBot(tx: WriteTx, botId: string, limit: number): Promise<number> {
  const ids = await tx.all<{ id: string }>(
    'SELECT id FROM bot_streams WHERE bot_id = ? LIMIT ?',
    botId,
    limit,
  );
  for (const { id } of ids) await deleteBotStream(tx, id);
  return ids.length;
}
