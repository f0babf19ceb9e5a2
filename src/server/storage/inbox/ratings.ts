// SQL of ratings: for each handoff whose visitor was asked, whether they have answered, and what.
import type { Tx, WriteTx } from '../database.ts';

export interface RatingRow {
  handoffId: string;
  offeredAt: number;
  dismissedAt: number | null;
  ratedAt: number | null;
  rating: number | null;
  comment: string | null;
}

const columns = (table = '') =>
  `${table}handoff_id, ${table}offered_at, ${table}dismissed_at,
  ${table}rated_at, ${table}rating, ${table}comment`;

/** Records that the visitor is asked. Returns false if they were asked already, or if the bot does not ask. */
export async function offerRating(
  tx: WriteTx,
  handoff: { id: string; conversationId: string; botId: string },
  at: number,
): Promise<boolean> {
  const changes = await tx.run(
    `INSERT INTO ratings (handoff_id, conversation_id, bot_id, offered_at)
     SELECT ?, ?, id, ? FROM bots WHERE id = ? AND ratings = 1 ON CONFLICT DO NOTHING`,
    handoff.id,
    handoff.conversationId,
    at,
    handoff.botId,
  );
  return changes > 0;
}

export async function findRating(
  tx: Tx,
  conversationId: string,
  handoffId: string,
): Promise<RatingRow | undefined> {
  return tx.get(
    `SELECT ${columns()} FROM ratings WHERE handoff_id = ? AND conversation_id = ?`,
    handoffId,
    conversationId,
  );
}

/** The ratings of a conversation, newest first. */
export async function ratingsOf(tx: Tx, conversationId: string, limit: number): Promise<RatingRow[]> {
  return tx.all(
    `SELECT ${columns()} FROM ratings WHERE conversation_id = ? ORDER BY handoff_id DESC LIMIT ?`,
    conversationId,
    limit,
  );
}

/** Stores the answer of the visitor. Returns false if there is one: it stays. */
export async function storeRating(
  tx: WriteTx,
  handoffId: string,
  { at, rating, comment }: { at: number; rating: number; comment: string | null },
): Promise<boolean> {
  const changes = await tx.run(
    'UPDATE ratings SET rated_at = ?, rating = ?, comment = ? WHERE handoff_id = ? AND rated_at IS NULL',
    at,
    rating,
    comment,
    handoffId,
  );
  return changes > 0;
}

/** Records that the visitor does not want to answer. Returns false if that is known, or if they have answered. */
export async function dismissRating(tx: WriteTx, handoffId: string, at: number): Promise<boolean> {
  const changes = await tx.run(
    'UPDATE ratings SET dismissed_at = ? WHERE handoff_id = ? AND rated_at IS NULL AND dismissed_at IS NULL',
    at,
    handoffId,
  );
  return changes > 0;
}

/** The ratings that the owner of conversations was asked for, after the id of a handoff. */
export async function ratingsToExport(
  tx: Tx,
  userId: string,
  after: string,
  limit: number,
): Promise<(RatingRow & { conversationId: string; conversationForeignId: string | null })[]> {
  return tx.all(
    `SELECT ${columns('r.')}, c.id AS conversation_id, c.foreign_id AS conversation_foreign_id
     FROM conversations c JOIN ratings r ON r.conversation_id = c.id
     WHERE c.owner_id = ? AND r.handoff_id > ? ORDER BY r.handoff_id LIMIT ?`,
    userId,
    after,
    limit,
  );
}
