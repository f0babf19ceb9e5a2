// SQL of messages of visitors, which is the most frequent write: few statements, which check the caller by conditions.
import type { DeliveryRow, NewDelivery } from '../bots/deliveries.ts';
import { deliveryStates } from '../bots/delivery-states.ts';
import type { WriteTx } from '../database.ts';
import { isBeingDeleted } from '../deletions.ts';
import { type ConversationRow, conversationColumns } from './conversations.ts';
import { hasOpenInterrupt } from './interrupts.ts';
import type { MessageRow } from './messages.ts';

/** What must hold when a message is stored. The caller has read all of it before the transaction. */
export interface PostConditions {
  botId: string;
  /** The generation of the bot's user keys. */
  ownKeys: number;
  userId: string;
  keyHash: string;
  keysValidAfter: number | null;
  /** An idempotent request that nobody has made before. */
  request: { caller: string; operation: string; key: string } | undefined;
}

/**
 * Takes the next sequence number of a conversation of the bot for a message of a visitor, by foreign id, otherwise by
 * server id. `updatedAt` of the result is the time of the message. It holds the lock of the conversation, so that
 * `insertPost` can check the rest.
 */
export async function takeSequenceForPost(
  tx: WriteTx,
  botId: string,
  id: string,
  now: number,
): Promise<ConversationRow | undefined> {
  return tx.get(
    `UPDATE conversations SET seq = seq + 1, message_count = message_count + 1, outgoing = 0,
       updated_at = CASE WHEN updated_at >= ? THEN updated_at + 1 ELSE ? END
     WHERE id = COALESCE((SELECT f.id FROM conversations f
         WHERE f.foreign_id = ? AND f.bot_id = ? AND NOT ${isBeingDeleted('f.owner_id')}), ?)
       AND bot_id = ? AND NOT ${isBeingDeleted('owner_id')}
     RETURNING ${conversationColumns()}`,
    now,
    now,
    id,
    botId,
    id,
    botId,
  );
}

/**
 * Inserts a message of a visitor if the conditions hold, otherwise nothing. Returns whether it did. A message that supersedes
 * open interrupts is stored in full.
 */
export async function insertPost(
  tx: WriteTx,
  row: MessageRow,
  { botId, ownKeys, userId, keyHash, keysValidAfter, request }: PostConditions,
): Promise<boolean> {
  const changes = await tx.run(
    `INSERT INTO messages (id, conversation_id, seq, user_id, is_bot, payload, metadata, created_at)
     SELECT ?, ?, ?, ?, 0, ?, ?, ?
     WHERE EXISTS (SELECT 1 FROM participants p WHERE p.conversation_id = ? AND p.user_id = ?)
       AND EXISTS (SELECT 1 FROM users u
         WHERE u.id = ? AND u.bot_id = ? AND u.keys_valid_after IS NOT DISTINCT FROM ?)
       AND NOT EXISTS (SELECT 1 FROM revoked_user_keys k WHERE k.bot_id = ? AND k.key_hash = ?)
       AND EXISTS (SELECT 1 FROM bots b WHERE b.id = ? AND b.own_keys = ? AND b.deleted_at IS NULL)
       AND NOT ${hasOpenInterrupt()}
       ${request ? 'AND NOT EXISTS (SELECT 1 FROM requests r WHERE r.caller = ? AND r.operation = ? AND r.key = ?)' : ''}`,
    row.id,
    row.conversationId,
    row.seq,
    row.userId,
    row.payload,
    row.metadata,
    row.createdAt,
    row.conversationId,
    userId,
    userId,
    botId,
    keysValidAfter,
    botId,
    keyHash,
    botId,
    ownKeys,
    row.conversationId,
    ...(request ? [request.caller, request.operation, request.key] : []),
  );
  return changes > 0;
}

/** What the event of a message contains besides it: whether the conversation and the user have it, or the bot. */
export interface EventExtras {
  states: boolean;
  tags: boolean;
  knowledgeBases: boolean;
}

/**
 * Who delivers the event of a message first. `owner`: the lease of this process, null in a server that is one process.
 * `canFollow`: the process also claims an event that follows others of the conversation, if it has claimed all of these.
 * Undefined: this process has no room, and leaves the event to others.
 */
export type PostClaim = { owner: string | null; canFollow?: boolean } | undefined;

/** The event of a message as it was stored. */
export interface StoredEvent {
  /** With its owner, if this process claimed it, and with 1 attempt, if it also comes first. */
  delivery: DeliveryRow;
  /** Whether no other event of the conversation comes first. */
  isFirst: boolean;
  extras: EventExtras;
}

/** The `INSERT` of an event, with these SQL expressions for its attempts and its owner. */
const deliveryInsert = (attempts: string, owner: string): string =>
  `INSERT INTO deliveries (event_id, conversation_id, bot_id, seq, user_id, kind, ref, data, locale, created_at,
     attempts, owner)
   SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ${attempts}, ${owner}
   RETURNING attempts, owner,
     CASE WHEN EXISTS (SELECT 1 FROM states s WHERE s.owner_id IN (?, ?)) THEN 1 ELSE 0 END AS "states",
     CASE WHEN EXISTS (SELECT 1 FROM tags t WHERE t.resource_id IN (?, ?)) THEN 1 ELSE 0 END AS "tags",
     CASE WHEN EXISTS (SELECT 1 FROM knowledge_bases k WHERE k.bot_id = ?) THEN 1 ELSE 0 END AS "knowledgeBases"`;

const plainInsert = deliveryInsert('0', 'NULL');
const isPending = `EXISTS (SELECT 1 FROM deliveries o WHERE o.conversation_id = ? AND o.state = '${deliveryStates.pending}')`;
const countingInsert = deliveryInsert(`CASE WHEN ${isPending} THEN 0 ELSE 1 END`, 'NULL');
/** The lock of the conversation, which the caller holds, excludes other claims. */
const isTaken = `EXISTS (SELECT 1 FROM deliveries o
  WHERE o.conversation_id = ? AND (o.state = '${deliveryStates.pending}' OR o.owner IS NOT NULL))`;
const claimingInsert = deliveryInsert(
  `CASE WHEN ${isTaken} THEN 0 ELSE 1 END`,
  `CASE WHEN ${isTaken} THEN NULL ELSE ? END`,
);

/**
 * Queues the event of a message. If no other event of the conversation comes first, its first attempt is counted at once,
 * because the process that writes it delivers it. Also returns what the event contains, so that it need not be read.
 */
export async function insertPostDelivery(
  tx: WriteTx,
  row: NewDelivery,
  botId: string,
  claim: PostClaim,
): Promise<StoredEvent> {
  const isOwn = claim !== undefined && claim.owner !== null;
  const written = await tx.get<
    { attempts: number; owner: string | null } & Record<keyof EventExtras, number>
  >(
    isOwn ? claimingInsert : claim ? countingInsert : plainInsert,
    row.eventId,
    row.conversationId,
    botId,
    row.seq,
    row.userId,
    row.kind,
    row.ref,
    row.data,
    row.locale,
    row.createdAt,
    ...(claim ? [row.conversationId] : []),
    ...(isOwn ? [row.conversationId, claim.owner] : []),
    row.conversationId,
    row.userId,
    row.conversationId,
    row.userId,
    botId,
  );
  const { attempts = 0, owner = null, states, tags, knowledgeBases } = written ?? {};
  return {
    delivery: {
      ...row,
      botId,
      attempts,
      owner,
      state: deliveryStates.pending,
      dueAt: 0,
      reason: null,
      failedAt: null,
    },
    isFirst: attempts > 0,
    extras: { states: states === 1, tags: tags === 1, knowledgeBases: knowledgeBases === 1 },
  };
}
