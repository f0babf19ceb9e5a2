// SQL of deliveries: pending events of bots, and events whose attempts are exhausted (dead letters).
import type { Tx, WriteTx } from '../database.ts';
import { deleteRows } from '../delete-rows.ts';
import { isBeingDeleted } from '../deletions.ts';
import { seesConversation, type Viewer } from '../inbox/visibility.ts';
import { columnList, defineTable, integer, orNull, type RowOf, text, textOf, withDefault } from '../table.ts';

/**
 * The stored value of each delivery state. `pending` blocks later events of the conversation, `deferred` does not (webhooks
 * only), and `deadLetter` is not retried.
 */
export const deliveryStates = { pending: 'waiting', deferred: 'parked', deadLetter: 'dead' } as const;

export type DeliveryState = (typeof deliveryStates)[keyof typeof deliveryStates];

export const deliveries = defineTable('deliveries', {
  /** The id of the event that bot code receives. */
  eventId: text,
  conversationId: text,
  botId: withDefault(text),
  /** The sequence number of the cause of the event; events are ordered by it. */
  seq: integer,
  userId: text,
  kind: textOf<DeliveryKind>(),
  /** The message, the custom event or the handoff that caused the event, or that it is about. */
  ref: orNull(text),
  /**
   * Further data (JSON): for feedback its value at that time, for a merged user the previous id, for settled interrupts all
   * of them, for these and for a message what the page offers (`client`).
   */
  data: orNull(text),
  /** The languages and the time zone of the user when it happened (JSON), if the client has sent them. */
  locale: orNull(text),
  attempts: withDefault(integer),
  createdAt: integer,
  state: withDefault(textOf<DeliveryState>()),
  /** The earliest time of the next attempt; 0 for immediately. */
  dueAt: withDefault(integer),
  /** The reason why the last attempt at a webhook failed: a code, or the status of the response. */
  reason: orNull(text),
  /** The time when its attempts were exhausted. */
  failedAt: orNull(integer),
  /** The lease of the process that handles the event (delivery-claims.ts); always null in a server that is one process. */
  owner: orNull(text),
});
export type DeliveryRow = RowOf<typeof deliveries>;

export const deliveryColumns = deliveries.columns();

/**
 * SQL condition: not of a deleted user, and in a conversation that neither was deleted nor belongs to a deleted user.
 */
const isVisible = `NOT ${isBeingDeleted('user_id')} AND EXISTS
  (SELECT 1 FROM conversations c WHERE c.id = conversation_id AND NOT ${isBeingDeleted('c.owner_id')})`;

/** A new event without its bot. */
export const newDeliveryFields = [
  'eventId',
  'conversationId',
  'seq',
  'userId',
  'kind',
  'ref',
  'data',
  'locale',
  'createdAt',
] as const;

export type NewDelivery = Pick<DeliveryRow, (typeof newDeliveryFields)[number]>;

export async function insertDelivery(tx: WriteTx, row: NewDelivery): Promise<void> {
  await tx.run(
    `INSERT INTO deliveries (bot_id, ${columnList(newDeliveryFields)})
     VALUES (COALESCE((SELECT bot_id FROM conversations WHERE id = ?), ''), ${newDeliveryFields.map(() => '?').join(', ')})`,
    row.conversationId,
    ...newDeliveryFields.map((field) => row[field]),
  );
}

/** The event of a conversation to deliver now: the first pending one, otherwise a deferred one that is due. */
export async function nextDelivery(
  tx: Tx,
  conversationId: string,
  now: number,
): Promise<DeliveryRow | undefined> {
  const first = await tx.get<DeliveryRow>(
    `SELECT ${deliveryColumns} FROM deliveries WHERE conversation_id = ? AND state = '${deliveryStates.pending}' ORDER BY seq LIMIT 1`,
    conversationId,
  );
  if (first && first.dueAt <= now) return first;
  return tx.get(
    `SELECT ${deliveryColumns} FROM deliveries WHERE conversation_id = ? AND state = '${deliveryStates.deferred}' AND +due_at <= ?
     ORDER BY seq LIMIT 1`,
    conversationId,
    now,
  );
}

/**
 * Counts an attempt of a server that is one process, and returns the updated event; undefined when it was deleted or its
 * attempts are exhausted.
 */
export async function beginDelivery(tx: WriteTx, eventId: string): Promise<DeliveryRow | undefined> {
  return tx.get(
    `UPDATE deliveries SET attempts = attempts + 1, owner = NULL WHERE event_id = ? AND state <> '${deliveryStates.deadLetter}'
     RETURNING ${deliveryColumns}`,
    eventId,
  );
}

export async function findDelivery(tx: Tx, eventId: string): Promise<DeliveryRow | undefined> {
  return tx.get(`SELECT ${deliveryColumns} FROM deliveries WHERE event_id = ?`, eventId);
}

/**
 * Stores the state after a failed attempt, if `owner` still handles the event. Returns the number of changed rows: 0 when
 * the event was deleted, or taken over.
 */
export async function settleDelivery(
  tx: WriteTx,
  row: Pick<DeliveryRow, 'eventId' | 'state' | 'dueAt' | 'reason' | 'failedAt' | 'owner'>,
): Promise<number> {
  return tx.run(
    `UPDATE deliveries SET state = ?, due_at = ?, reason = ?, failed_at = ?, owner = NULL
     WHERE event_id = ? AND owner IS NOT DISTINCT FROM ?`,
    row.state,
    row.dueAt,
    row.reason,
    row.failedAt,
    row.eventId,
    row.owner,
  );
}

/** Deletes an event, if `owner` still handles it. Returns the number of deleted rows. */
export async function deleteDelivery(
  tx: WriteTx,
  { eventId, owner }: Pick<DeliveryRow, 'eventId' | 'owner'>,
): Promise<number> {
  return tx.run('DELETE FROM deliveries WHERE event_id = ? AND owner IS NOT DISTINCT FROM ?', eventId, owner);
}

/**
 * The conversations with an event in this state that is due after `after` and not after `until`. For a server that is one
 * process, in which no event has an owner.
 */
export async function conversationsDue(
  tx: Tx,
  state: DeliveryState,
  after: number,
  until: number,
): Promise<string[]> {
  const rows = await tx.all<{ id: string }>(
    'SELECT conversation_id AS id FROM deliveries WHERE state = ? AND owner IS NULL AND due_at > ? AND due_at <= ?',
    state,
    after,
    until,
  );
  return [...new Set(rows.map((row) => row.id))];
}

/** The next time after `now` at which an event without an owner in this state is due. */
export async function nextDue(tx: Tx, state: DeliveryState, now: number): Promise<number | undefined> {
  const row = await tx.get<{ at: number }>(
    'SELECT due_at AS at FROM deliveries WHERE state = ? AND owner IS NULL AND due_at > ? ORDER BY due_at LIMIT 1',
    state,
    now,
  );
  return row?.at;
}

/** No process handles an event: those that have used the database before have ended. */
export async function releaseDeliveries(tx: WriteTx): Promise<void> {
  for (const state of Object.values(deliveryStates))
    await tx.run('UPDATE deliveries SET owner = NULL WHERE state = ? AND owner IS NOT NULL', state);
}

/** Limits due times to `latest`, because they are too late if the clock was set back after they were stored. */
export async function clampDueTimes(tx: WriteTx, latest: number): Promise<void> {
  for (const state of [deliveryStates.pending, deliveryStates.deferred]) {
    await tx.run(
      'UPDATE deliveries SET due_at = ? WHERE state = ? AND owner IS NULL AND due_at > ?',
      latest,
      state,
      latest,
    );
  }
}

/** Dead letters of a bot about conversations that the viewer sees, before the id `before`, newest first. */
export async function listDeadLetters(
  tx: Tx,
  viewer: Viewer,
  botId: string,
  before: string | undefined,
  limit: number,
): Promise<DeliveryRow[]> {
  const visible = seesConversation(viewer, 'deliveries.conversation_id');
  return tx.all(
    `SELECT ${deliveryColumns} FROM deliveries WHERE bot_id = ? AND state = '${deliveryStates.deadLetter}' AND event_id < ? AND ${isVisible}
       AND ${visible.sql} ORDER BY event_id DESC LIMIT ?`,
    botId,
    // '~' sorts after every character of an id.
    before ?? '~',
    ...visible.values,
    limit,
  );
}

export async function findDeadLetter(
  tx: Tx,
  botId: string,
  eventId: string,
): Promise<DeliveryRow | undefined> {
  return tx.get(
    `SELECT ${deliveryColumns} FROM deliveries WHERE event_id = ? AND bot_id = ? AND state = '${deliveryStates.deadLetter}' AND ${isVisible}`,
    eventId,
    botId,
  );
}

/**
 * Starts again with the first attempt at an event, regardless of the order of its conversation. It is due for every
 * process, whatever its clock says; 0 would be an event that was never sent.
 */
export async function reviveDelivery(tx: WriteTx, eventId: string): Promise<void> {
  await tx.run(
    `UPDATE deliveries SET state = '${deliveryStates.deferred}', attempts = 0, due_at = 1, failed_at = NULL WHERE event_id = ?`,
    eventId,
  );
}

/** Deletes up to `limit` events that a user caused, in any state, and returns their number. */
export async function deleteDeliveriesOfUser(tx: WriteTx, userId: string, limit: number): Promise<number> {
  return deleteRows(tx, 'deliveries', 'user_id = ?', [userId], limit);
}

/** Deletes the events that a deleted message or its feedback caused. */
export async function deleteDeliveriesAbout(
  tx: WriteTx,
  conversationId: string,
  messageId: string,
): Promise<void> {
  await tx.run('DELETE FROM deliveries WHERE conversation_id = ? AND ref = ?', conversationId, messageId);
}

const handoffKinds = [
  'handoff_requested',
  'conversation_assigned',
  'handoff_ended',
  'conversation_closed',
  'conversation_rated',
] as const;

/** The kinds of events about a handoff. */
export type HandoffEventKind = (typeof handoffKinds)[number];

/** The kinds of events of bots. */
export type DeliveryKind =
  | 'message'
  | 'custom'
  | 'conversation_started'
  | 'feedback'
  | 'user_merged'
  | 'resume'
  | 'message_for_person'
  | HandoffEventKind;

export const isHandoffEvent = (kind: DeliveryKind): kind is HandoffEventKind =>
  handoffKinds.some((one) => one === kind);

/** Whether an event asks the bot for an answer, so that the bot gets none of them while a person answers. */
export const asksForAnswer = ({ kind }: { kind: DeliveryKind }): boolean =>
  ['message', 'resume', 'conversation_started'].includes(kind);

/** Deletes the events of a conversation that ask the bot for an answer, except for one that it handles now. */
export async function deleteQueuedMessages(tx: WriteTx, conversationId: string): Promise<void> {
  await tx.run(
    `DELETE FROM deliveries WHERE conversation_id = ? AND kind IN ('message', 'resume', 'conversation_started')
       AND owner IS NULL AND state <> '${deliveryStates.deadLetter}' AND (attempts = 0 OR state = '${deliveryStates.deferred}')`,
    conversationId,
  );
}

/**
 * The number of pending events, and when the oldest of them was created. Both are of the first `limit` events, so that a
 * long queue is not read to its end.
 */
export async function queuedDeliveries(
  tx: Tx,
  limit: number,
): Promise<{ count: number; oldest: number | undefined }> {
  const free = await tx.all<{ createdAt: number }>(
    `SELECT created_at FROM deliveries WHERE state = '${deliveryStates.pending}' AND owner IS NULL
     ORDER BY due_at LIMIT ?`,
    limit,
  );
  const owned = await tx.all<{ at: number }>(
    `SELECT created_at AS at FROM deliveries WHERE state = '${deliveryStates.pending}' AND owner IS NOT NULL
     ORDER BY owner LIMIT ?`,
    limit - free.length,
  );
  const times = [...free.map(({ createdAt }) => createdAt), ...owned.map(({ at }) => at)];
  const oldest = times.reduce((earliest, time) => Math.min(earliest, time), Number.MAX_SAFE_INTEGER);
  return { count: times.length, oldest: times.length > 0 ? oldest : undefined };
}
