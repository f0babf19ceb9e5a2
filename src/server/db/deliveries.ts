// SQL of deliveries: bot events that were accepted and wait for their bot.
import type { Tx, WriteTx } from './database.ts';

export interface DeliveryRow {
  /** The id of the event as bot code sees it. */
  eventId: string;
  conversationId: string;
  /** The place in the conversation of what caused the event; its order. */
  seq: number;
  userId: string;
  kind: 'message' | 'custom' | 'conversation_started' | 'feedback';
  /** The message or custom event that caused it, or that it is about. */
  ref: string | null;
  /** What it tells beyond that: for feedback, the opinion as it was then (JSON). */
  data: string | null;
  attempts: number;
  createdAt: number;
}

const columns = `event_id AS "eventId", conversation_id AS "conversationId", seq, user_id AS "userId", kind, ref,
  data, attempts, created_at AS "createdAt"`;

export async function insertDelivery(tx: WriteTx, row: Omit<DeliveryRow, 'attempts'>): Promise<void> {
  await tx.run(
    `INSERT INTO deliveries (event_id, conversation_id, seq, user_id, kind, ref, data, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    row.eventId,
    row.conversationId,
    row.seq,
    row.userId,
    row.kind,
    row.ref,
    row.data,
    row.createdAt,
  );
}

/** Begins an attempt at the oldest waiting event of a conversation: counts it and gives the event. */
export async function beginDelivery(tx: WriteTx, conversationId: string): Promise<DeliveryRow | undefined> {
  return tx.get(
    `UPDATE deliveries SET attempts = attempts + 1 WHERE event_id =
       (SELECT event_id FROM deliveries WHERE conversation_id = ? ORDER BY seq LIMIT 1) RETURNING ${columns}`,
    conversationId,
  );
}

export async function deleteDelivery(tx: WriteTx, eventId: string): Promise<void> {
  await tx.run('DELETE FROM deliveries WHERE event_id = ?', eventId);
}

/** The conversations in which events wait. */
export async function conversationsWaiting(tx: Tx): Promise<string[]> {
  const rows = await tx.all<{ id: string }>('SELECT DISTINCT conversation_id AS "id" FROM deliveries');
  return rows.map((row) => row.id);
}
