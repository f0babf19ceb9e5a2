// SQL of several events of bots in one statement of PostgreSQL, whatever their number. For one event, see deliveries.ts.
import type { ConversationRow } from '../chat/conversations.ts';
import type { EventExtras } from '../chat/new-messages.ts';
import { type UserRow, userColumnsOf, userIn } from '../chat/users.ts';
import { isLeased } from '../cluster/processes.ts';
import type { Tx, WriteTx } from '../database.ts';
import { isBeingDeleted } from '../deletions.ts';
import { arrayOf } from '../dialect.ts';
import { fewRows } from '../json-rows.ts';
import { type BotRow, botColumns, botIn } from './bots.ts';
import type { DeliveryRow } from './deliveries.ts';

/** An event that was handled, and the one that its owner begins next, if it has claimed that one and not begun it. */
export interface EndedEvent extends Pick<DeliveryRow, 'eventId' | 'owner'> {
  next: string | undefined;
}

/**
 * Deletes the events that their owners still handle, counts the first attempt at those that are begun next, and returns the
 * ids of both. Waits for no other transaction, because those that lock several events have no common order: what is locked is
 * left out, and has to be deleted or begun alone.
 */
export async function endDeliveries(tx: WriteTx, rows: readonly EndedEvent[]): Promise<Set<string>> {
  const ids = arrayOf(rows.map(({ eventId }) => eventId));
  const owners = arrayOf(rows.map(({ owner }) => owner));
  const ended = `DELETE FROM deliveries WHERE event_id IN (
      SELECT d.event_id FROM ${fewRows('unnest(CAST(? AS text[]), CAST(? AS text[]))')} AS e (id, owner)
      JOIN deliveries d ON d.event_id = e.id AND d.owner IS NOT DISTINCT FROM e.owner
      FOR UPDATE OF d SKIP LOCKED)
    RETURNING event_id AS id`;
  const begun = `UPDATE deliveries SET attempts = 1 WHERE event_id IN (
      SELECT d.event_id FROM ${fewRows('unnest(CAST(? AS text[]), CAST(? AS text[]), CAST(? AS text[]))')} AS e (id, owner, next)
      JOIN ended ON ended.id = e.id JOIN deliveries d ON d.event_id = e.next AND d.owner IS NOT DISTINCT FROM e.owner
      WHERE d.attempts = 0 AND ${isLeased(tx, 'd.owner')}
      FOR UPDATE OF d SKIP LOCKED)
    RETURNING event_id AS id`;
  const changed = rows.some(({ next }) => next !== undefined)
    ? await tx.all<{ id: string }>(
        `WITH ended AS (${ended}), begun AS (${begun}) SELECT id FROM ended UNION ALL SELECT id FROM begun`,
        ids,
        owners,
        ids,
        owners,
        arrayOf(rows.map(({ next = null }) => next)),
      )
    : await tx.all<{ id: string }>(ended, ids, owners);
  return new Set(changed.map(({ id }) => id));
}

/** The values of a written event that the same process needs again when it handles the event later. */
export interface ClaimedEvent {
  eventId: string;
  bot: BotRow;
  user: UserRow;
  conversation: Pick<ConversationRow, 'seq' | 'updatedAt' | 'messageCount' | 'ownerId' | 'foreignId'>;
  /** When the message was changed; null: never. */
  messageUpdatedAt: number | null;
  extras: EventExtras;
}

/**
 * Returns these events of messages that `owner` has claimed. One of them is missing when it was deleted, or taken over, or
 * when its message, user, conversation or bot was deleted. While the lease is valid, which is never renewed when it is over,
 * no other process has claimed an event of the conversation since.
 */
export async function findClaimed(
  tx: Tx,
  eventIds: readonly string[],
  owner: string,
): Promise<ClaimedEvent[]> {
  type Row = UserRow & { eventId: string; [name: string]: unknown };
  const rows = await tx.all<Row>(
    `SELECT d.event_id, ${userColumnsOf('u.')}, ${botColumns},
       c.seq AS "c.seq", c.updated_at AS "c.updated_at", c.message_count AS "c.message_count", c.owner_id AS "c.owner_id",
       c.foreign_id AS "c.foreign_id", m.updated_at AS "m.updated_at",
       CASE WHEN EXISTS (SELECT 1 FROM states s WHERE s.owner_id IN (d.conversation_id, d.user_id))
         THEN 1 ELSE 0 END AS "e.states",
       CASE WHEN EXISTS (SELECT 1 FROM tags t WHERE t.resource_id IN (d.conversation_id, d.user_id, m.id))
         THEN 1 ELSE 0 END AS "e.tags",
       CASE WHEN EXISTS (SELECT 1 FROM knowledge_bases k WHERE k.bot_id = d.bot_id)
         THEN 1 ELSE 0 END AS "e.knowledge_bases"
     FROM (SELECT d.* FROM ${fewRows('unnest(CAST(? AS text[]))')} AS e (id) JOIN deliveries d ON d.event_id = e.id OFFSET 0) d
       JOIN messages m ON m.id = d.ref JOIN conversations c ON c.id = d.conversation_id
       JOIN users u ON u.id = d.user_id JOIN bots b ON b.id = d.bot_id
     WHERE d.owner = ? AND ${isLeased(tx, 'd.owner')} AND b.deleted_at IS NULL AND NOT ${isBeingDeleted('c.owner_id')}`,
    arrayOf(eventIds),
    owner,
  );
  return rows.map((row) => {
    return {
      eventId: row.eventId,
      bot: botIn(row),
      user: userIn(row),
      conversation: {
        seq: row['c.seq'] as number,
        updatedAt: row['c.updatedAt'] as number,
        messageCount: row['c.messageCount'] as number,
        ownerId: row['c.ownerId'] as string,
        foreignId: row['c.foreignId'] as string | null,
      },
      messageUpdatedAt: row['m.updatedAt'] as number | null,
      extras: {
        states: row['e.states'] === 1,
        tags: row['e.tags'] === 1,
        knowledgeBases: row['e.knowledgeBases'] === 1,
      },
    };
  });
}
