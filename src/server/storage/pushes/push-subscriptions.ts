// SQL of the browsers in which visitors have switched on Web Push.
import type { Tx, WriteTx } from '../database.ts';
import { inList } from '../dialect.ts';
import { hashOfId } from '../ids.ts';

export interface PushSubscriptionRow {
  id: string;
  botId: string;
  userId: string;
  /** The address at the push service: whoever has it, and the keys, can send to the browser. */
  endpoint: string;
  /** The public key and the secret of the browser, in base64url (RFC 8291). */
  p256dh: string;
  auth: string;
  /** The language of notifications, such as `de`. */
  locale: string;
  /** The page with the chat, if the client has named one. */
  pageUrl: string | null;
  /** When the browser ends it, in milliseconds since 1970. */
  expiresAt: number | null;
  /** The last push that the push service has accepted. */
  lastSent: string | null;
}

const columns = `id, bot_id, user_id, endpoint, p256dh, auth, locale, page_url,
  expires_at, last_sent`;

/** The id of the subscription of a browser at a bot. */
export const pushSubscriptionId = (botId: string, endpoint: string): string => hashOfId(botId, endpoint);

export async function findPushSubscription(tx: Tx, id: string): Promise<PushSubscriptionRow | undefined> {
  return tx.get(`SELECT ${columns} FROM push_subscriptions WHERE id = ?`, id);
}

/** The subscriptions of a user, newest first. */
export async function pushSubscriptionsOf(tx: Tx, userId: string): Promise<PushSubscriptionRow[]> {
  return tx.all(
    `SELECT ${columns} FROM push_subscriptions WHERE user_id = ? ORDER BY created_at DESC, id`,
    userId,
  );
}

/** The subscriptions of a user after an id, in the order of ids. */
export async function pushSubscriptionsToExport(
  tx: Tx,
  userId: string,
  after: string,
  limit: number,
): Promise<PushSubscriptionRow[]> {
  return tx.all(
    `SELECT ${columns} FROM push_subscriptions WHERE user_id = ? AND id > ? ORDER BY id LIMIT ?`,
    userId,
    after,
    limit,
  );
}

export async function hasPushSubscription(tx: Tx, userId: string): Promise<boolean> {
  return (await tx.get('SELECT 1 FROM push_subscriptions WHERE user_id = ? LIMIT 1', userId)) !== undefined;
}

/** Stores the subscription of a browser, also if it was another user's. */
export async function setPushSubscription(
  tx: WriteTx,
  row: Omit<PushSubscriptionRow, 'lastSent'>,
  now: number,
): Promise<void> {
  await tx.run(
    `INSERT INTO push_subscriptions
       (id, bot_id, user_id, endpoint, p256dh, auth, locale, page_url, expires_at, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET user_id = excluded.user_id, p256dh = excluded.p256dh, auth = excluded.auth,
       locale = excluded.locale, page_url = excluded.page_url, expires_at = excluded.expires_at,
       created_at = excluded.created_at, last_sent = NULL`,
    row.id,
    row.botId,
    row.userId,
    row.endpoint,
    row.p256dh,
    row.auth,
    row.locale,
    row.pageUrl,
    row.expiresAt,
    now,
  );
}

/** Stores that the push service has accepted a push, if the subscription is still that user's. */
export async function setPushSent(
  tx: WriteTx,
  { id, userId }: PushSubscriptionRow,
  lastSent: string,
): Promise<void> {
  await tx.run(
    'UPDATE push_subscriptions SET last_sent = ? WHERE id = ? AND user_id = ?',
    lastSent,
    id,
    userId,
  );
}

export async function deletePushSubscription(
  tx: WriteTx,
  { id, userId }: Pick<PushSubscriptionRow, 'id' | 'userId'>,
): Promise<void> {
  await tx.run('DELETE FROM push_subscriptions WHERE id = ? AND user_id = ?', id, userId);
}

export async function deletePushSubscriptionsOf(tx: WriteTx, userIds: readonly string[]): Promise<void> {
  const condition = inList(tx, 'user_id', userIds);
  await tx.run(`DELETE FROM push_subscriptions WHERE ${condition.sql}`, ...condition.values);
}
