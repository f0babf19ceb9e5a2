// SQL of the browsers in which visitors have switched on Web Push.
import type { Tx, WriteTx } from '../database.ts';
import { inList } from '../dialect.ts';
import { hashOfId } from '../ids.ts';
import { defineTable, insert, integer, orNull, type RowOf, text } from '../table.ts';

const pushSubscriptions = defineTable(
  'push_subscriptions',
  {
    id: text,
    botId: text,
    userId: text,
    /** The address at the push service: whoever has it, and the keys, can send to the browser. */
    endpoint: text,
    /** The public key and the secret of the browser, in base64url (RFC 8291). */
    p256dh: text,
    auth: text,
    /** The language of notifications, such as `de`. */
    locale: text,
    /** The page with the chat, if the client has named one. */
    pageUrl: orNull(text),
    /** When the browser ends it, in milliseconds since 1970. */
    expiresAt: orNull(integer),
    /** The last push that the push service has accepted. */
    lastSent: orNull(text),
  },
  {
    createdAt: integer,
  },
);
export type PushSubscriptionRow = RowOf<typeof pushSubscriptions>;

const columns = pushSubscriptions.columns();

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
  await insert(
    tx,
    pushSubscriptions,
    { ...row, lastSent: null, createdAt: now },
    `ON CONFLICT (id) DO UPDATE SET user_id = excluded.user_id, p256dh = excluded.p256dh, auth = excluded.auth,
       locale = excluded.locale, page_url = excluded.page_url, expires_at = excluded.expires_at,
       created_at = excluded.created_at, last_sent = NULL`,
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

/**
 * The key pair with which push services recognize the server. In base64url (RFC 8292): a point of 65 bytes, and a number of 32
 * bytes.
 */
export interface VapidKeys {
  publicKey: string;
  privateKey: string;
}

/** Returns the stored pair. Stores `created` if there is none; if several processes do this at once, one pair is stored. */
export async function ensureVapidKeys(tx: WriteTx, created: VapidKeys, now: number): Promise<VapidKeys> {
  await tx.run(
    'INSERT INTO vapid_keys (id, public_key, private_key, created_at) VALUES (1, ?, ?, ?) ON CONFLICT (id) DO NOTHING',
    created.publicKey,
    created.privateKey,
    now,
  );
  const stored = await tx.get<VapidKeys>('SELECT public_key, private_key FROM vapid_keys WHERE id = 1');
  return stored ?? created;
}
