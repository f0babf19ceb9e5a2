// SQL of custom events.
import { deliveryStates } from '../bots/deliveries.ts';
import type { Tx, WriteTx } from '../database.ts';
import { inList } from '../dialect.ts';
import { bytesSql, firstWithin } from '../read-bytes.ts';
import { conversationBot, defineTable, insert, integer, orNull, type RowOf, text } from '../table.ts';

export const events = defineTable(
  'events',
  {
    id: text,
    conversationId: text,
    seq: integer,
    userId: text,
    isBot: integer,
    /** JSON. */
    payload: text,
    createdAt: integer,
    /** The type that the bot named; null for `custom`. */
    type: orNull(text),
    /** The message that the event is about. */
    messageId: orNull(text),
  },
  { origin: orNull(text), botId: conversationBot },
);

export type EventRow = RowOf<typeof events> & { userForeignId: string | null };

const select = `SELECT ${events.columns('e.')}, u.foreign_id AS user_foreign_id
  FROM events e LEFT JOIN users u ON u.id = e.user_id`;

export async function findEvent(tx: Tx, id: string): Promise<EventRow | undefined> {
  return tx.get(`${select} WHERE e.id = ?`, id);
}

/** The existing events with these ids, in any order. */
export async function findEvents(tx: Tx, ids: readonly string[]): Promise<EventRow[]> {
  const condition = inList(tx, 'e.id', ids);
  return tx.all(`${select} WHERE ${condition.sql}`, ...condition.values);
}

/** The event that a bot already sent with this origin, if any. */
export async function findEventByOrigin(tx: Tx, origin: string): Promise<EventRow | undefined> {
  return tx.get(`${select} WHERE e.origin = ?`, origin);
}

export async function insertEvent(tx: WriteTx, row: EventRow, origin: string | null): Promise<void> {
  await insert(tx, events, { ...row, origin });
}

/** An event, and what became of its delivery to the bot; null when there is none any more. */
export interface ListedEvent extends EventRow {
  state: string | null;
  reason: string | null;
}

export interface EventFilter {
  conversationId: string;
  type?: string | undefined;
  userId?: string | undefined;
  messageId?: string | undefined;
  status?: 'pending' | 'processed' | 'failed' | undefined;
  /** The sequence number of the last row of the previous page. */
  before?: number | undefined;
}

const selectListed = select.replace(
  'FROM events e',
  ', d.state, d.reason FROM events e LEFT JOIN deliveries d ON d.event_id = e.id',
);

/** SQL conditions of the states of an event. */
const statusConditions = {
  pending: `d.state <> '${deliveryStates.deadLetter}'`,
  processed: 'd.state IS NULL',
  failed: `d.state = '${deliveryStates.deadLetter}'`,
};

/** An event with its delivery. */
export async function findListedEvent(tx: Tx, id: string): Promise<ListedEvent | undefined> {
  return tx.get(`${selectListed} WHERE e.id = ?`, id);
}

/**
 * Events of a conversation, newest first: at most `limit`, and none after that with which they have more than `bytes`
 * (../read-bytes.ts).
 */
export async function listEvents(
  tx: Tx,
  filter: EventFilter,
  limit: number,
  bytes: number,
): Promise<ListedEvent[]> {
  const { conversationId, type, userId, messageId, status, before } = filter;
  const where = ['e.conversation_id = ?', 'e.seq < ?'];
  const values: (string | number)[] = [conversationId, before ?? Number.MAX_SAFE_INTEGER];
  const columns = { "COALESCE(e.type, 'custom')": type, 'e.user_id': userId, 'e.message_id': messageId };
  for (const [column, value] of Object.entries(columns)) {
    if (value === undefined) continue;
    where.push(`${column} = ?`);
    values.push(value);
  }
  if (status) where.push(statusConditions[status]);
  const rows = `SELECT e.id, e.seq, ${bytesSql.events('e')} AS bytes
    FROM events e LEFT JOIN deliveries d ON d.event_id = e.id
    WHERE ${where.join(' AND ')} ORDER BY e.seq DESC LIMIT ?`;
  return tx.all(
    `${selectListed} WHERE e.id IN (${firstWithin(rows, 'w.seq DESC')}) ORDER BY e.seq DESC`,
    ...values,
    limit,
    bytes,
  );
}
