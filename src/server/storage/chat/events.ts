// SQL of custom events.
import type { Tx, WriteTx } from '../database.ts';

export interface EventRow {
  id: string;
  conversationId: string;
  seq: number;
  userId: string;
  userForeignId: string | null;
  isBot: number;
  /** JSON. */
  payload: string;
  createdAt: number;
}

const select = `SELECT e.id, e.conversation_id AS "conversationId", e.seq, e.user_id AS "userId",
  u.foreign_id AS "userForeignId", e.is_bot AS "isBot", e.payload, e.created_at AS "createdAt"
  FROM events e LEFT JOIN users u ON u.id = e.user_id`;

export async function findEvent(tx: Tx, id: string): Promise<EventRow | undefined> {
  return tx.get(`${select} WHERE e.id = ?`, id);
}

/** The event that a bot already sent with this origin, if any. */
export async function findEventByOrigin(tx: Tx, origin: string): Promise<EventRow | undefined> {
  return tx.get(`${select} WHERE e.origin = ?`, origin);
}

export async function insertEvent(tx: WriteTx, row: EventRow, origin: string | null): Promise<void> {
  await tx.run(
    `INSERT INTO events (id, conversation_id, seq, user_id, is_bot, payload, origin, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    row.id,
    row.conversationId,
    row.seq,
    row.userId,
    row.isBot,
    row.payload,
    origin,
    row.createdAt,
  );
}
