// SQL of the conditions under which messages are stored: of visitors whose caller was read before the transaction, and of bots
// that answer an event. Nothing of it changes before the end of the transaction, which holds the conversations.
import type { DeliveryRow } from '../bots/deliveries.ts';
import type { WriteTx } from '../database.ts';
import { isBeingDeleted } from '../deletions.ts';
import { forDialect } from '../dialect.ts';
import { rowsStatement } from '../json-rows.ts';
import { botsOf, type UsageRow, usageColumns, usageOfBots, withSums } from '../usage.ts';
import { hasOpenInterrupt } from './interrupts.ts';
import { type HeldConversation, heldColumns } from './new-messages.ts';

/** The conditions of a message of a visitor. The caller was read before the transaction. */
export interface PostConditions {
  botId: string;
  /** The foreign id of the conversation, or its server id. */
  conversationId: string;
  /** The generation of the bot's user keys. */
  ownKeys: number;
  userId: string;
  keyHash: string;
  keysValidAfter: number | null;
  /** An idempotent request that nobody has made before. */
  request: { caller: string; operation: string; key: string } | undefined;
}

/**
 * The condition of a message that does not hold. `handling` and `interrupt`: the message has more effects, because a person was
 * asked for, or a question of the bot waits.
 */
export type UnmetCondition =
  | 'conversation'
  | 'handling'
  | 'participant'
  | 'user'
  | 'key'
  | 'bot'
  | 'request'
  | 'interrupt';

/** The conversation of a message, or the first condition that does not hold. */
export type Checked =
  | { conversation: HeldConversation; unmet?: undefined }
  | { conversation?: undefined; unmet: UnmetCondition };

/** A reply: the event that it answers, with its conversation and the process that handles it, and its deduplication key. */
export interface ReplyConditions {
  event: Pick<DeliveryRow, 'eventId' | 'conversationId' | 'owner'>;
  origin: string;
}

const nameColumns = 'id text, bot_id text';
const postColumns = `n bigint, conversation_id text, user_id text, bot_id text, key_hash text, own_keys bigint,
   keys_valid_after bigint, caller text, operation text, key text`;
const replyColumns = 'n bigint, event_id text, owner text, origin text';

/** SQL: the server id of a conversation that is named by foreign id or server id. */
const serverId = (id: string, botId: string): string =>
  `COALESCE((SELECT f.id FROM conversations f
     WHERE f.foreign_id = ${id} AND f.bot_id = ${botId} AND NOT ${isBeingDeleted('f.owner_id')}), ${id})`;

const lockedNames = rowsStatement(
  nameColumns,
  (rows) => `SELECT id FROM conversations
    WHERE id = ANY (ARRAY (SELECT ${serverId('given.id', 'given.bot_id')} FROM ${rows} given)) ORDER BY id FOR UPDATE`,
);

const checkedPosts = rowsStatement(
  postColumns,
  (rows) => `SELECT given.n, ${heldColumns}, CASE
      WHEN c.id IS NULL THEN 'conversation'
      WHEN c.has_handling = 1 THEN 'handling'
      WHEN NOT EXISTS (SELECT 1 FROM participants t WHERE t.conversation_id = c.id AND t.user_id = given.user_id)
        THEN 'participant'
      WHEN NOT EXISTS (SELECT 1 FROM users u WHERE u.id = given.user_id AND u.bot_id = given.bot_id
        AND u.keys_valid_after IS NOT DISTINCT FROM given.keys_valid_after) THEN 'user'
      WHEN EXISTS (SELECT 1 FROM revoked_user_keys k WHERE k.bot_id = given.bot_id AND k.key_hash = given.key_hash) THEN 'key'
      WHEN b.id IS NULL THEN 'bot'
      WHEN EXISTS (SELECT 1 FROM requests r
        WHERE r.caller = given.caller AND r.operation = given.operation AND r.key = given.key) THEN 'request'
      WHEN ${hasOpenInterrupt('c.id')} THEN 'interrupt' END AS unmet
    FROM ${rows} given LEFT JOIN conversations c ON c.id = ${serverId('given.conversation_id', 'given.bot_id')}
      AND c.bot_id = given.bot_id AND NOT ${isBeingDeleted('c.owner_id')}
    LEFT JOIN bots b ON b.id = given.bot_id AND b.own_keys = given.own_keys AND b.deleted_at IS NULL`,
);

const checkedReplies = rowsStatement(
  replyColumns,
  (rows) => `SELECT given.n, ${heldColumns}
    FROM ${rows} given
    JOIN deliveries d ON d.event_id = given.event_id AND d.owner = given.owner
    JOIN conversations c ON c.id = d.conversation_id
    LEFT JOIN bots b ON b.id = c.bot_id
    WHERE NOT ${isBeingDeleted('c.owner_id')} AND NOT EXISTS (SELECT 1 FROM messages m WHERE m.origin = given.origin)`,
);

/**
 * Locks conversations in the order of their ids, and returns whether one is locked: it was not if it was created since. A statement
 * of its own, which is sent together with the next one: conditions in the same statement would be checked as of before its wait
 * for a row. SQLite has one writer.
 */
async function lockConversations(
  tx: WriteTx,
  names: readonly (readonly [id: string, botId: string | null])[],
): Promise<(conversation: HeldConversation) => boolean> {
  const lock = async () => {
    const rows = await tx.all<{ id: string }>(...lockedNames(tx, names));
    const ids = new Set(rows.map(({ id }) => id));
    return (conversation: HeldConversation) => ids.has(conversation.id);
  };
  return forDialect(tx, { sqlite: async () => () => true, postgres: lock })();
}

/**
 * Locks the conversations of posts, and checks the conditions of each. `withUsage`: also returns the usage of their users,
 * conversations and bots, of which only that of the bots can change before the end of the transaction.
 */
export async function checkPosts(
  tx: WriteTx,
  posts: readonly PostConditions[],
  withUsage: boolean,
): Promise<{ checked: Checked[]; usage: UsageRow[] }> {
  const names = posts.map(({ conversationId, botId }) => [conversationId, botId] as const);
  const rows = posts.map(({ request, ...post }, n) => [
    n,
    post.conversationId,
    post.userId,
    post.botId,
    post.keyHash,
    post.ownKeys,
    post.keysValidAfter,
    request?.caller ?? null,
    request?.operation ?? null,
    request?.key ?? null,
  ]);
  type Row = { n: number; unmet: UnmetCondition | null } & HeldConversation;
  const [isLocked, found, usage] = await Promise.all([
    lockConversations(tx, names),
    tx.all<Row>(...checkedPosts(tx, rows)),
    withUsage ? usageOfOwners(tx, posts) : [],
  ]);
  const checked = posts.map((): Checked => ({ unmet: 'conversation' }));
  for (const { n, unmet, ...conversation } of found)
    if (unmet !== null) checked[n] = { unmet };
    else if (isLocked(conversation)) checked[n] = { conversation };
  return { checked, usage: withSums(usage) };
}

/** Does the same for replies: the conversation of each, or undefined if its conditions do not hold. */
export async function checkReplies(
  tx: WriteTx,
  replies: readonly ReplyConditions[],
): Promise<(HeldConversation | undefined)[]> {
  const names = replies.map(({ event }) => [event.conversationId, null] as const);
  const rows = replies.map(({ event, origin }, n) => [n, event.eventId, event.owner, origin]);
  const [isLocked, found] = await Promise.all([
    lockConversations(tx, names),
    tx.all<{ n: number } & HeldConversation>(...checkedReplies(tx, rows)),
  ]);
  const byNumber = new Map(found.map(({ n, ...conversation }) => [n, conversation]));
  return replies.map((_, n) => {
    const conversation = byNumber.get(n);
    return conversation && isLocked(conversation) ? conversation : undefined;
  });
}

const usageOfPosts = rowsStatement(
  nameColumns,
  (rows) => `SELECT ${usageColumns} FROM usage
    WHERE id = ANY (ARRAY (SELECT ${serverId('given.id', 'given.bot_id')} FROM ${rows} given))
    UNION ALL SELECT usage.${usageColumns} FROM ${usageOfBots}`,
);

/** The usage of the users, conversations and bots of posts, on PostgreSQL. */
function usageOfOwners(tx: WriteTx, posts: readonly PostConditions[]): Promise<UsageRow[]> {
  // Without a bot, an id is none that a client has chosen.
  const owners = posts.flatMap(({ userId, conversationId, botId }) => [
    [userId, null],
    [conversationId, botId],
  ]);
  const botIds = botsOf(posts.map(({ botId }) => botId));
  return tx.all<UsageRow>(...usageOfPosts(tx, owners), botIds);
}
