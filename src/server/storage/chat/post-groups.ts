// SQL of several messages of visitors that one transaction of PostgreSQL stores: a few statements over arrays, whatever
// their number. For a message that is stored alone, see posts.ts.
import type { NewDelivery } from '../bots/deliveries.ts';
import { deliveryStates } from '../bots/delivery-states.ts';
import { botsOf, type UsageRow, usageColumns, usageOfBots, withSums } from '../cluster/usage-parts.ts';
import type { WriteTx } from '../database.ts';
import { isBeingDeleted } from '../deletions.ts';
import { arrayOf } from '../dialect.ts';
import type { RequestRow } from '../idempotency.ts';
import { type ConversationRow, conversationColumns } from './conversations.ts';
import { hasOpenInterrupt } from './interrupts.ts';
import {
  changedConversations,
  conversationArrays,
  messageArrays,
  messageColumns,
  messageTypes,
} from './message-groups.ts';
import type { MessageRow } from './messages.ts';
import type { EventExtras, PostClaim, PostConditions, StoredEvent } from './posts.ts';

/** A conversation as a request names it: by foreign id or server id. */
export interface ConversationName {
  botId: string;
  id: string;
}

/**
 * Locks the rows of these conversations in the order of their ids, and returns for each name its conversation, if there is
 * one. A statement of its own: a condition of this one would be checked as of before its wait for a row.
 */
export async function lockConversations(
  tx: WriteTx,
  names: readonly ConversationName[],
): Promise<(ConversationRow | undefined)[]> {
  const rows = await tx.all<ConversationRow>(
    `SELECT ${conversationColumns()} FROM conversations
     WHERE id = ANY (ARRAY (SELECT COALESCE((SELECT f.id FROM conversations f
         WHERE f.foreign_id = n.id AND f.bot_id = n.bot_id AND NOT ${isBeingDeleted('f.owner_id')}), n.id)
       FROM unnest(CAST(? AS text[]), CAST(? AS text[])) AS n (id, bot_id)))
     ORDER BY id FOR UPDATE`,
    arrayOf(names.map(({ id }) => id)),
    arrayOf(names.map(({ botId }) => botId)),
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  const named = rows.filter(({ foreignId }) => foreignId !== null);
  const byForeignId = new Map(named.map((row) => [`${row.botId} ${row.foreignId}`, row]));
  return names.map(({ botId, id }) => {
    const row = byForeignId.get(`${botId} ${id}`) ?? byId.get(id);
    return row?.botId === botId ? row : undefined;
  });
}

/** A message that may be stored in a conversation. */
export interface PostCheck extends PostConditions {
  conversationId: string;
}

/**
 * Returns the numbers of the messages whose conditions hold, and the usage of these users and conversations, and of the bots.
 * They are locked, so that nothing of it changes before the end of the transaction, except for the usage and the keys of a bot.
 */
export async function checkPosts(
  tx: WriteTx,
  posts: readonly PostCheck[],
  ownerIds: readonly string[],
): Promise<{ passed: Set<number>; usage: UsageRow[] }> {
  const rows = await tx.all<UsageRow & { n: number | null }>(
    `SELECT p.n, NULL AS "id", 0 AS "messages", 0 AS "bytes", 0 AS "files", 0 AS "hour", 0 AS "hourMessages",
       0 AS "hourBytes"
     FROM unnest(CAST(? AS bigint[]), CAST(? AS text[]), CAST(? AS text[]), CAST(? AS text[]), CAST(? AS text[]),
         CAST(? AS bigint[]), CAST(? AS bigint[]), CAST(? AS text[]), CAST(? AS text[]), CAST(? AS text[]))
       AS p (n, conversation_id, user_id, bot_id, key_hash, own_keys, keys_valid_after, caller, operation, key)
     WHERE EXISTS (SELECT 1 FROM conversations c
         WHERE c.id = p.conversation_id AND NOT ${isBeingDeleted('c.owner_id')})
       AND EXISTS (SELECT 1 FROM participants t
         WHERE t.conversation_id = p.conversation_id AND t.user_id = p.user_id)
       AND EXISTS (SELECT 1 FROM users u WHERE u.id = p.user_id AND u.bot_id = p.bot_id
         AND u.keys_valid_after IS NOT DISTINCT FROM p.keys_valid_after)
       AND NOT EXISTS (SELECT 1 FROM revoked_user_keys k WHERE k.bot_id = p.bot_id AND k.key_hash = p.key_hash)
       AND EXISTS (SELECT 1 FROM bots b
         WHERE b.id = p.bot_id AND b.own_keys = p.own_keys AND b.deleted_at IS NULL)
       AND NOT EXISTS (SELECT 1 FROM requests r
         WHERE r.caller = p.caller AND r.operation = p.operation AND r.key = p.key)
       AND NOT ${hasOpenInterrupt('p.conversation_id')}
     UNION ALL
     SELECT NULL, ${usageColumns} FROM usage WHERE id = ANY (CAST(? AS text[]))
     UNION ALL
     SELECT NULL, usage.${usageColumns} FROM ${usageOfBots}`,
    arrayOf(posts.map((_, n) => n)),
    arrayOf(posts.map(({ conversationId }) => conversationId)),
    arrayOf(posts.map(({ userId }) => userId)),
    arrayOf(posts.map(({ botId }) => botId)),
    arrayOf(posts.map(({ keyHash }) => keyHash)),
    arrayOf(posts.map(({ ownKeys }) => ownKeys)),
    arrayOf(posts.map(({ keysValidAfter }) => keysValidAfter)),
    arrayOf(posts.map(({ request }) => request?.caller ?? null)),
    arrayOf(posts.map(({ request }) => request?.operation ?? null)),
    arrayOf(posts.map(({ request }) => request?.key ?? null)),
    arrayOf(ownerIds),
    botsOf(posts.map(({ botId }) => botId)),
  );
  return {
    passed: new Set(rows.flatMap(({ n }) => (n === null ? [] : [n]))),
    usage: withSums(rows.flatMap(({ n, ...row }) => (n === null ? [row] : []))),
  };
}

/** Inserts messages of visitors, and stores how they change their conversations, whose rows are locked. */
export async function insertPosts(
  tx: WriteTx,
  conversations: readonly ConversationRow[],
  messages: readonly MessageRow[],
): Promise<void> {
  await tx.run(
    `WITH ${changedConversations('outgoing = 0')}
     INSERT INTO messages (${messageColumns}, is_bot)
     SELECT ${messageColumns}, 0 FROM unnest(${messageTypes}) AS m (${messageColumns})`,
    ...conversationArrays(conversations),
    ...messageArrays(messages),
  );
}

/** The event of a message, the bot that receives it, and who delivers it. */
export interface PostDelivery extends NewDelivery {
  botId: string;
  claim: PostClaim;
}

const { pending } = deliveryStates;

/**
 * Another event of the conversation comes first, or is claimed, unless the owner of this one has claimed all of these. The
 * lock of the conversation excludes other claims.
 */
const isTaken = `EXISTS (SELECT 1 FROM deliveries o WHERE o.conversation_id = e.conversation_id
  AND (o.state = '${pending}' OR (e.owner IS NOT NULL AND o.owner IS NOT NULL))
  AND NOT (e.can_follow = 1 AND o.owner IS NOT DISTINCT FROM e.owner))`;

const isPending = `EXISTS (SELECT 1 FROM deliveries o WHERE o.conversation_id = e.conversation_id AND o.state = '${pending}')`;

/**
 * Queues the events of messages, in their order. As `insertPostDelivery` does for one, it counts the first attempt of an
 * event, and stores its owner, if no other event of the conversation comes first, also none of these. If all that come first
 * are those of the same process, which delivers them in their order, it stores the owner, and no attempt: that event begins
 * later, or never if the process is killed before.
 */
export async function insertPostDeliveries(
  tx: WriteTx,
  rows: readonly PostDelivery[],
): Promise<StoredEvent[]> {
  /** Conversation -> whether its last event of these may be claimed. */
  const last = new Map<string, boolean>();
  const claims = rows.map(({ conversationId, claim }) => {
    const before = last.get(conversationId);
    const canFollow = claim?.canFollow === true && claim.owner !== null;
    const isClaimed = claim !== undefined && (before === undefined || (before && canFollow));
    last.set(conversationId, isClaimed);
    return { isClaimed, canFollow, isFirst: before === undefined };
  });
  const written = await tx.all<
    { id: string; attempts: number; owner: string | null; waiting: number } & Record<
      keyof EventExtras,
      number
    >
  >(
    `INSERT INTO deliveries (event_id, conversation_id, bot_id, seq, user_id, kind, ref, data, locale, created_at,
       attempts, owner)
     SELECT e.event_id, e.conversation_id, e.bot_id, e.seq, e.user_id, e.kind, e.ref, e.data, e.locale, e.created_at,
       CASE WHEN e.is_claimed = 0 OR e.is_first = 0 OR ${isPending} OR ${isTaken} THEN 0 ELSE 1 END,
       CASE WHEN e.is_claimed = 0 OR ${isTaken} THEN NULL ELSE e.owner END
     FROM unnest(CAST(? AS text[]), CAST(? AS text[]), CAST(? AS text[]), CAST(? AS bigint[]), CAST(? AS text[]),
         CAST(? AS text[]), CAST(? AS text[]), CAST(? AS text[]), CAST(? AS text[]), CAST(? AS bigint[]),
         CAST(? AS bigint[]), CAST(? AS bigint[]), CAST(? AS bigint[]), CAST(? AS text[]))
       AS e (event_id, conversation_id, bot_id, seq, user_id, kind, ref, data, locale, created_at, is_claimed, is_first,
         can_follow, owner)
     RETURNING event_id AS "id", attempts, owner,
       CASE WHEN EXISTS (SELECT 1 FROM deliveries o
           WHERE o.conversation_id = deliveries.conversation_id AND o.state = '${pending}')
         THEN 1 ELSE 0 END AS "waiting",
       CASE WHEN EXISTS (SELECT 1 FROM states s WHERE s.owner_id IN (conversation_id, user_id))
         THEN 1 ELSE 0 END AS "states",
       CASE WHEN EXISTS (SELECT 1 FROM tags t WHERE t.resource_id IN (conversation_id, user_id))
         THEN 1 ELSE 0 END AS "tags",
       CASE WHEN EXISTS (SELECT 1 FROM knowledge_bases k WHERE k.bot_id = deliveries.bot_id)
         THEN 1 ELSE 0 END AS "knowledgeBases"`,
    arrayOf(rows.map(({ eventId }) => eventId)),
    arrayOf(rows.map(({ conversationId }) => conversationId)),
    arrayOf(rows.map(({ botId }) => botId)),
    arrayOf(rows.map(({ seq }) => seq)),
    arrayOf(rows.map(({ userId }) => userId)),
    arrayOf(rows.map(({ kind }) => kind)),
    arrayOf(rows.map(({ ref }) => ref)),
    arrayOf(rows.map(({ data }) => data)),
    arrayOf(rows.map(({ locale }) => locale)),
    arrayOf(rows.map(({ createdAt }) => createdAt)),
    arrayOf(claims.map(({ isClaimed }) => (isClaimed ? 1 : 0))),
    arrayOf(claims.map(({ isFirst }) => (isFirst ? 1 : 0))),
    arrayOf(claims.map(({ canFollow }) => (canFollow ? 1 : 0))),
    arrayOf(rows.map(({ claim }) => claim?.owner ?? null)),
  );
  const byId = new Map(written.map((row) => [row.id, row]));
  return rows.map(({ claim: _, ...row }, n) => {
    const { attempts = 0, owner = null, waiting, states, tags, knowledgeBases } = byId.get(row.eventId) ?? {};
    return {
      delivery: { ...row, attempts, owner, state: pending, dueAt: 0, reason: null, failedAt: null },
      // The subqueries of RETURNING do not see the rows of the same statement.
      isFirst: claims[n]?.isFirst === true && waiting === 0,
      extras: { states: states === 1, tags: tags === 1, knowledgeBases: knowledgeBases === 1 },
    };
  });
}

/** Stores several responses in one statement of PostgreSQL; if one violates the unique key, none. */
export async function insertRequests(tx: WriteTx, rows: readonly RequestRow[]): Promise<void> {
  await tx.run(
    `INSERT INTO requests (caller, operation, key, fingerprint, resource, response, created_at)
     SELECT * FROM unnest(CAST(? AS text[]), CAST(? AS text[]), CAST(? AS text[]), CAST(? AS text[]),
       CAST(? AS text[]), CAST(? AS text[]), CAST(? AS bigint[]))`,
    arrayOf(rows.map(({ caller }) => caller)),
    arrayOf(rows.map(({ operation }) => operation)),
    arrayOf(rows.map(({ key }) => key)),
    arrayOf(rows.map(({ fingerprint }) => fingerprint)),
    arrayOf(rows.map(({ resource }) => resource)),
    arrayOf(rows.map(({ response }) => response)),
    arrayOf(rows.map(({ createdAt }) => createdAt)),
  );
}
