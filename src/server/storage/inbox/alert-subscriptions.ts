// SQL of the browsers in which members have switched on pushes about waiting conversations. One ends with the session, or the token,
// with which it was stored.
import type { Tx, WriteTx } from '../database.ts';
import { inList } from '../dialect.ts';
import { hashOfId } from '../ids.ts';
import { defineTable, insert, integer, orNull, type RowOf, text } from '../table.ts';

const subscriptions = defineTable(
  'alert_subscriptions',
  {
    id: text,
    memberId: text,
    /** The id of the session or of the token. */
    credentialId: text,
    /** The address at the push service. */
    endpoint: text,
    /** The public key and the secret of the browser, in base64url (RFC 8291). */
    p256dh: text,
    auth: text,
    /** When the browser ends it, in milliseconds since 1970. */
    expiresAt: orNull(integer),
  },
  { createdAt: integer },
);
export type AlertSubscriptionRow = RowOf<typeof subscriptions>;

const columns = subscriptions.columns('a.');
/** The condition that the session or the token of a subscription `a` has not ended. */
const isSignedIn = `(EXISTS (SELECT 1 FROM sessions s WHERE s.id = a.credential_id)
  OR EXISTS (SELECT 1 FROM tokens t WHERE t.id = a.credential_id))`;

/** The id of the subscription of a browser. */
export const alertSubscriptionId = (endpoint: string): string => hashOfId('alerts', endpoint);

export async function findAlertSubscription(tx: Tx, id: string): Promise<AlertSubscriptionRow | undefined> {
  return tx.get(`SELECT ${columns} FROM alert_subscriptions a WHERE a.id = ? AND ${isSignedIn}`, id);
}

/** Whether the browser of a session or a token has a subscription. */
export async function hasAlertSubscription(tx: Tx, credentialId: string): Promise<boolean> {
  const row = await tx.get('SELECT 1 FROM alert_subscriptions WHERE credential_id = ? LIMIT 1', credentialId);
  return row !== undefined;
}

/** The subscriptions of members whose sessions have not ended, newest first. */
export async function alertSubscriptionsOf(
  tx: Tx,
  memberIds: readonly string[],
): Promise<AlertSubscriptionRow[]> {
  const condition = inList(tx, 'a.member_id', memberIds);
  return tx.all(
    `SELECT ${columns} FROM alert_subscriptions a WHERE ${condition.sql} AND ${isSignedIn}
     ORDER BY a.created_at DESC, a.id`,
    ...condition.values,
  );
}

/** Stores the subscription of a browser, also if it was another member's, instead of an earlier one of the same session. */
export async function setAlertSubscription(
  tx: WriteTx,
  row: AlertSubscriptionRow,
  now: number,
): Promise<void> {
  await tx.run(
    'DELETE FROM alert_subscriptions WHERE credential_id = ? AND id <> ?',
    row.credentialId,
    row.id,
  );
  await insert(
    tx,
    subscriptions,
    { ...row, createdAt: now },
    `ON CONFLICT (id) DO UPDATE SET member_id = excluded.member_id, credential_id = excluded.credential_id,
       p256dh = excluded.p256dh, auth = excluded.auth, expires_at = excluded.expires_at, created_at = excluded.created_at`,
  );
}

export async function deleteAlertSubscription(tx: WriteTx, id: string): Promise<void> {
  await tx.run('DELETE FROM alert_subscriptions WHERE id = ?', id);
}

/** Deletes the subscription of a session or a token. */
export async function deleteAlertSubscriptionOf(tx: WriteTx, credentialId: string): Promise<void> {
  await tx.run('DELETE FROM alert_subscriptions WHERE credential_id = ?', credentialId);
}

/** Deletes the subscriptions whose sessions or tokens have ended. */
export async function deleteEndedSubscriptions(tx: WriteTx): Promise<void> {
  await tx.run(
    `DELETE FROM alert_subscriptions WHERE id IN (SELECT a.id FROM alert_subscriptions a WHERE NOT ${isSignedIn})`,
  );
}

/** Deletes the subscriptions of members, and what waits to be sent to them. */
export async function deleteAlertsOfMembers(tx: WriteTx, memberIds: readonly string[]): Promise<void> {
  const targets = inList(tx, 'target', memberIds);
  await tx.run(`DELETE FROM alerts WHERE ${targets.sql}`, ...targets.values);
  const condition = inList(tx, 'member_id', memberIds);
  await tx.run(`DELETE FROM alert_subscriptions WHERE ${condition.sql}`, ...condition.values);
}
