// SQL of user keys: which user a key identifies, which keys were revoked, and which foreign ids belonged to deleted users.
import { type BotRow, botColumns, botIn } from '../bots/bots.ts';
import { type UserRow, userColumns, userColumnsOf, userIn } from '../chat/users.ts';
import type { Tx, WriteTx } from '../database.ts';
import { arrayOf, inList } from '../dialect.ts';
import { hashOfId } from '../ids.ts';
import { fewRows } from '../json-rows.ts';

/** The stored state of a key. */
export interface KeyState {
  /** The user of the key; undefined if the user does not exist yet or was deleted. */
  user: UserRow | undefined;
  isRevoked: boolean;
  /** Only keys that were signed after this time are valid, in milliseconds since 1970; null: all are. */
  validAfter: number | null;
}

/** The fields of a verified user key that the storage uses (auth/user-keys.ts: KeyClaims). */
interface KeyReference {
  id: string;
  isIssued: boolean;
  hash: string;
  issuedAt: number | undefined;
  expiresAt: number | undefined;
  /** Of a key with limits. */
  conversationIds: readonly string[] | undefined;
}

// 0 or 1: not every engine returns a number for a boolean, and any other value would accept revoked keys.
const revokedColumn = `CASE WHEN EXISTS
  (SELECT 1 FROM revoked_user_keys AS revoked WHERE revoked.bot_id = ? AND revoked.key_hash = ?)
  THEN 1 ELSE 0 END AS is_revoked`;

/** Returns the user of a key and its revocations: one statement, or two if no user has its id as a foreign id. */
export async function findKeyState(
  tx: Tx,
  botId: string,
  { id, isIssued, hash }: Pick<KeyReference, 'id' | 'isIssued' | 'hash'>,
): Promise<KeyState> {
  const find = (column: 'id' | 'foreign_id') =>
    tx.get<UserRow & { isRevoked: number }>(
      `SELECT ${userColumns}, ${revokedColumn} FROM users WHERE ${column} = ? AND bot_id = ? AND is_bot = 0`,
      botId,
      hash,
      id,
      botId,
    );
  // The foreign ids are skipped for an issued key, because a caller may have chosen one that equals a server id.
  const found = (isIssued ? undefined : await find('foreign_id')) ?? (await find('id'));
  if (found) {
    const { isRevoked, ...user } = found;
    return { user, isRevoked: isRevoked === 1, validAfter: user.keysValidAfter };
  }
  const revocation = await tx.get<{ isRevoked: number; deletedAt: number | null }>(
    `SELECT ${revokedColumn},
       (SELECT deleted_at FROM deleted_users WHERE bot_id = ? AND id_hash = ?) AS deleted_at`,
    botId,
    hash,
    botId,
    hashOfId(botId, id),
  );
  return {
    user: undefined,
    isRevoked: revocation?.isRevoked === 1,
    validAfter: revocation?.deletedAt ?? null,
  };
}

/** The bot of a chat address, and the user of a key. */
export interface BotAndUser {
  bot: BotRow;
  user: KeyState | undefined;
}

/**
 * Returns the bot of a chat address and, in the same statement, the user of a key at that bot. `user` is undefined if
 * `findKeyState` has to be asked: without a key, or when no user has its id.
 */
export async function findBotAndUser(
  tx: Tx,
  webhookId: string,
  { id, isIssued, hash }: Pick<KeyReference, 'id' | 'isIssued' | 'hash'>,
): Promise<BotAndUser | undefined> {
  const row = await tx.get<EndpointRow>(
    `SELECT ${endpointColumns}, ${isRevokedAt('?')}
     FROM bots b LEFT JOIN users u ON u.bot_id = b.id AND u.${isIssued ? 'id' : 'foreign_id'} = ? AND u.is_bot = 0
     WHERE b.webhook_id = ? AND b.deleted_at IS NULL`,
    hash,
    id,
    webhookId,
  );
  return row && botAndUserOf(row);
}

/** The chat address and the key of a request. */
export interface EndpointRequest extends Pick<KeyReference, 'id' | 'isIssued' | 'hash'> {
  webhookId: string;
}

/** Returns for each request what `findBotAndUser` returns, by at most two statements of PostgreSQL. */
export async function findBotsAndUsers(
  tx: Tx,
  requests: readonly EndpointRequest[],
): Promise<(BotAndUser | undefined)[]> {
  const found = new Map<number, BotAndUser>();
  for (const column of ['id', 'foreign_id']) {
    const numbered = requests
      .map((request, n) => ({ ...request, n }))
      .filter(({ isIssued }) => isIssued === (column === 'id'));
    if (numbered.length === 0) continue;
    const rows = await tx.all<EndpointRow & { n: number }>(
      `SELECT r.n, ${endpointColumns}, ${isRevokedAt('r.hash')}
       FROM ${fewRows('unnest(CAST(? AS bigint[]), CAST(? AS text[]), CAST(? AS text[]), CAST(? AS text[]))')}
         AS r (n, webhook_id, user_id, hash)
       JOIN bots b ON b.webhook_id = r.webhook_id AND b.deleted_at IS NULL
       LEFT JOIN users u ON u.bot_id = b.id AND u.${column} = r.user_id AND u.is_bot = 0`,
      arrayOf(numbered.map(({ n }) => n)),
      arrayOf(numbered.map(({ webhookId }) => webhookId)),
      arrayOf(numbered.map(({ id }) => id)),
      arrayOf(numbered.map(({ hash }) => hash)),
    );
    for (const { n, ...row } of rows) found.set(n, botAndUserOf(row));
  }
  return requests.map((_, n) => found.get(n));
}

type EndpointRow = (UserRow | { id: null }) & { isRevoked: number; [name: string]: unknown };

const endpointColumns = `${botColumns}, ${userColumnsOf('u.')}`;
const isRevokedAt = (hash: string): string => `CASE WHEN EXISTS
  (SELECT 1 FROM revoked_user_keys AS revoked WHERE revoked.bot_id = b.id AND revoked.key_hash = ${hash})
  THEN 1 ELSE 0 END AS is_revoked`;

function botAndUserOf(row: EndpointRow): BotAndUser {
  const bot = botIn(row);
  if (row.id === null) return { bot, user: undefined };
  return {
    bot,
    user: { user: userIn(row), isRevoked: row.isRevoked === 1, validAfter: row.keysValidAfter },
  };
}

/** Stores that the user of a foreign id was deleted at this time, in milliseconds since 1970. */
export async function insertDeletedUser(
  tx: WriteTx,
  botId: string,
  foreignId: string,
  deletedAt: number,
): Promise<void> {
  await tx.run(
    `INSERT INTO deleted_users (bot_id, id_hash, deleted_at) VALUES (?, ?, ?)
     ON CONFLICT (bot_id, id_hash) DO UPDATE SET deleted_at = excluded.deleted_at`,
    botId,
    hashOfId(botId, foreignId),
    deletedAt,
  );
}

/**
 * Returns when the last user of a foreign id was deleted; undefined if there was none. Deletes the record, because the
 * next user stores this time.
 */
export async function takeDeletedUser(
  tx: WriteTx,
  botId: string,
  foreignId: string,
): Promise<number | undefined> {
  const row = await tx.get<{ deletedAt: number }>(
    'DELETE FROM deleted_users WHERE bot_id = ? AND id_hash = ? RETURNING deleted_at',
    botId,
    hashOfId(botId, foreignId),
  );
  return row?.deletedAt;
}

export async function setKeysValidAfter(tx: WriteTx, userId: string, time: number): Promise<void> {
  await tx.run('UPDATE users SET keys_valid_after = ? WHERE id = ?', time, userId);
}

/** Revokes one key; has no effect when it is already revoked. `userId`: null if the key has no user yet. */
export async function insertRevokedKey(
  tx: WriteTx,
  botId: string,
  userId: string | null,
  {
    hash,
    issuedAt,
    expiresAt,
    conversationIds,
  }: Pick<KeyReference, 'hash' | 'issuedAt' | 'expiresAt' | 'conversationIds'>,
): Promise<void> {
  await tx.run(
    `INSERT INTO revoked_user_keys (bot_id, key_hash, user_id, issued_at, expires_at, is_limited)
     VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (bot_id, key_hash) DO NOTHING`,
    botId,
    hash,
    userId,
    issuedAt ?? null,
    expiresAt ?? null,
    conversationIds ? 1 : 0,
  );
}

/** The number of individually revoked keys of a user, of those with or without limits. */
export async function countRevokedKeys(tx: Tx, userId: string, isLimited: boolean): Promise<number> {
  const row = await tx.get<{ n: number }>(
    'SELECT COUNT(*) AS n FROM revoked_user_keys WHERE user_id = ? AND is_limited = ?',
    userId,
    isLimited ? 1 : 0,
  );
  return row?.n ?? 0;
}

/** Deletes the revoked keys of users who are deleted and whose ids are never used again. */
export async function deleteRevokedKeysOf(tx: WriteTx, userIds: readonly string[]): Promise<void> {
  const condition = inList(tx, 'user_id', userIds);
  await tx.run(`DELETE FROM revoked_user_keys WHERE ${condition.sql}`, ...condition.values);
}

/** Deletes the revoked keys of a user that were signed up to a time; keys of that age are now rejected anyway. */
export async function forgetRevokedKeys(tx: WriteTx, userId: string, time: number): Promise<void> {
  await tx.run(
    'DELETE FROM revoked_user_keys WHERE user_id = ? AND (issued_at IS NULL OR issued_at <= ?)',
    userId,
    time,
  );
}
