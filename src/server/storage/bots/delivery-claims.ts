// SQL of claims: which process handles an event, where several use the same database (decision 67). A process owns an event
// by its lease, and at most one event of a conversation has an owner whose lease is valid.
import { isLeased } from '../cluster/processes.ts';
import type { Tx, WriteTx } from '../database.ts';
import { isBeingDeleted } from '../deletions.ts';
import { type DeliveryRow, type DeliveryState, deliveryColumns, deliveryStates } from './deliveries.ts';

/** The lease of another process that handles an event of this conversation; undefined when there is none. */
export async function otherOwner(tx: Tx, conversationId: string, owner: string): Promise<string | undefined> {
  const row = await tx.get<{ owner: string }>(
    `SELECT d.owner FROM deliveries d WHERE d.conversation_id = ? AND d.owner <> ? AND ${isLeased(tx, 'd.owner')} LIMIT 1`,
    conversationId,
    owner,
  );
  return row?.owner;
}

/**
 * Makes `owner` the owner of an event, and counts an attempt. Undefined when the event has changed since it was read,
 * another process handles an event of the conversation, or the lease of `owner` is over. The lock of the conversation
 * excludes other claims, and the writes of the previous owner.
 */
export async function claimDelivery(
  tx: WriteTx,
  { eventId, conversationId, attempts }: Pick<DeliveryRow, 'eventId' | 'conversationId' | 'attempts'>,
  owner: string,
): Promise<DeliveryRow | undefined> {
  await tx.lock(`conversation:${conversationId}`);
  return tx.get(
    `UPDATE deliveries SET attempts = attempts + 1, owner = ?
     WHERE event_id = ? AND attempts = ? AND state <> '${deliveryStates.deadLetter}' AND ${isLeased(tx, '?')}
       AND NOT EXISTS (SELECT 1 FROM deliveries o
         WHERE o.conversation_id = ? AND o.owner <> ? AND ${isLeased(tx, 'o.owner')})
     RETURNING ${deliveryColumns}`,
    owner,
    eventId,
    attempts,
    owner,
    conversationId,
    owner,
  );
}

/** Gives up an event that was claimed when it was written, and has not begun. */
export async function releaseDelivery(
  tx: WriteTx,
  { eventId, owner }: Pick<DeliveryRow, 'eventId' | 'owner'>,
): Promise<void> {
  await tx.run(
    'UPDATE deliveries SET owner = NULL, attempts = 0 WHERE event_id = ? AND owner = ?',
    eventId,
    owner,
  );
}

/**
 * Whether `owner` handles the event, and its conversation was not deleted; in a server that is one process, where the owner is
 * null, whether the event exists: a message that supersedes its own deletes it. The answer stays true until the end of a work
 * that has locked the conversation before, because claims need that lock.
 */
export async function isOwned(
  tx: Tx,
  { eventId, owner }: Pick<DeliveryRow, 'eventId' | 'owner'>,
): Promise<boolean> {
  if (owner === null)
    return (await tx.get('SELECT 1 FROM deliveries WHERE event_id = ?', eventId)) !== undefined;
  const row = await tx.get(
    `SELECT 1 FROM deliveries d JOIN conversations c ON c.id = d.conversation_id
     WHERE d.event_id = ? AND d.owner = ? AND NOT ${isBeingDeleted('c.owner_id')}`,
    eventId,
    owner,
  );
  return row !== undefined;
}

/** The position of an event in the order in which a poll reads those of one state. */
export interface PollPosition {
  dueAt: number;
  conversationId: string;
  seq: number;
}

/** An event that no process handles. `isNext`: no other event or process holds it back. */
export interface FreeEvent extends PollPosition {
  isNext: number;
}

/**
 * Reads up to `limit` events in this state after a position that are due: those without an owner or, given one whose lease is
 * over, those of that owner. Reads no other ones, whatever their number.
 */
export async function freeEvents(
  tx: Tx,
  state: DeliveryState,
  now: number,
  { after, limit, owner }: { after: PollPosition; limit: number; owner?: string | undefined },
): Promise<FreeEvent[]> {
  // A pending event waits for those before it. It is often the first one, so that others of its conversation are not read.
  const hasEarlier = `EXISTS (SELECT 1 FROM deliveries e
    WHERE e.conversation_id = d.conversation_id AND e.state = '${deliveryStates.pending}' AND e.seq < d.seq)`;
  return tx.all(
    `SELECT d.due_at, d.conversation_id, d.seq,
       CASE ${state === deliveryStates.pending ? `WHEN ${hasEarlier} THEN 0` : ''}
         WHEN EXISTS (SELECT 1 FROM deliveries o
           WHERE o.conversation_id = d.conversation_id AND o.owner IS NOT NULL AND ${isLeased(tx, 'o.owner')}) THEN 0
         ELSE 1 END AS is_next
     FROM deliveries d
     WHERE d.state = ? AND ${owner === undefined ? 'd.owner IS NULL' : 'd.owner = ?'} AND d.due_at <= ?
       AND (d.due_at, d.conversation_id, d.seq) > (?, ?, ?)
     ORDER BY d.due_at, d.conversation_id, d.seq LIMIT ?`,
    state,
    ...(owner === undefined ? [] : [owner]),
    now,
    after.dueAt,
    after.conversationId,
    after.seq,
    limit,
  );
}

/** The owners of events in this state whose leases are over. Reads one event of each owner. */
export async function abandoningOwners(tx: Tx, state: DeliveryState): Promise<string[]> {
  const next = (condition: string) =>
    `SELECT (SELECT MIN(d.owner) FROM deliveries d WHERE d.state = ? AND d.owner IS NOT NULL${condition}) AS owner`;
  const rows = await tx.all<{ owner: string }>(
    `SELECT a.owner FROM (WITH RECURSIVE owners AS (${next('')}
       UNION ALL ${next(' AND d.owner > owners.owner')} FROM owners WHERE owners.owner IS NOT NULL)
     SELECT owner FROM owners WHERE owner IS NOT NULL AND NOT ${isLeased(tx, 'owner')}) AS a`,
    state,
    state,
  );
  return rows.map(({ owner }) => owner);
}

/** The conversations with an event that `owner` handles, or should. */
export async function ownedConversations(tx: Tx, owner: string): Promise<string[]> {
  const rows = await tx.all<{ id: string }>(
    `SELECT conversation_id AS id FROM deliveries WHERE state IN ('${deliveryStates.pending}', '${deliveryStates.deferred}') AND owner = ?`,
    owner,
  );
  return rows.map(({ id }) => id);
}
