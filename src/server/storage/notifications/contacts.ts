// SQL of the e-mail addresses of visitors.
import type { ContactState } from '../../../protocol/visitors.ts';
import type { Tx, WriteTx } from '../database.ts';
import { inList } from '../dialect.ts';
import { hashOfId } from '../ids.ts';

export interface ContactRow {
  userId: string;
  botId: string;
  email: string;
  addressHash: string;
  /** The language of mails, such as `de`. */
  locale: string;
  /** When somebody opened a link that was sent to the address, in milliseconds since 1970. */
  confirmedAt: number | null;
  undeliverableAt: number | null;
  unsubscribedAt: number | null;
}

/** The hash of an address at a bot, under which is kept what holds for the address, whoever has left it. */
const hashOfAddress = (botId: string, email: string): string => hashOfId(botId, email);

/** The address that a user has left. */
export async function findContact(tx: Tx, userId: string): Promise<ContactRow | undefined> {
  return tx.get(
    `SELECT c.user_id, c.bot_id, c.email, c.address_hash, c.locale,
       c.confirmed_at, a.undeliverable_at, a.unsubscribed_at
     FROM contacts c LEFT JOIN mailed_addresses a ON a.address_hash = c.address_hash WHERE c.user_id = ?`,
    userId,
  );
}

/** The state of an address, as the team sees it. */
export function contactStateOf({ undeliverableAt, unsubscribedAt, confirmedAt }: ContactRow): ContactState {
  if (undeliverableAt !== null) return 'undeliverable';
  if (unsubscribedAt !== null) return 'unsubscribed';
  return confirmedAt === null ? 'new' : 'confirmed';
}

/**
 * Stores the address of a user. The same address stays confirmed. If the user who has confirmed it enters it again, mails are
 * sent again; for other users it stays unsubscribed, because they may not be its owner.
 */
export async function setContact(
  tx: WriteTx,
  { userId, botId, email, locale }: Pick<ContactRow, 'userId' | 'botId' | 'email' | 'locale'>,
  now: number,
): Promise<void> {
  const hash = hashOfAddress(botId, email);
  const before = await findContact(tx, userId);
  if (before?.addressHash === hash && before.confirmedAt !== null)
    await tx.run('UPDATE mailed_addresses SET unsubscribed_at = NULL WHERE address_hash = ?', hash);
  await tx.run(
    `INSERT INTO contacts (user_id, bot_id, email, address_hash, locale, updated_at) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (user_id) DO UPDATE SET email = excluded.email, address_hash = excluded.address_hash,
       locale = excluded.locale, updated_at = excluded.updated_at,
       confirmed_at = CASE WHEN contacts.address_hash = excluded.address_hash THEN contacts.confirmed_at END`,
    userId,
    botId,
    email,
    hash,
    locale,
    now,
  );
}

export async function deleteContacts(tx: WriteTx, userIds: readonly string[]): Promise<void> {
  const condition = inList(tx, 'user_id', userIds);
  await tx.run(`DELETE FROM contacts WHERE ${condition.sql}`, ...condition.values);
}

/** Moves the address of a user to another one who has none. */
export async function moveContact(tx: WriteTx, from: string, to: string): Promise<void> {
  await tx.run(
    'UPDATE contacts SET user_id = ? WHERE user_id = ? AND NOT EXISTS (SELECT 1 FROM contacts WHERE user_id = ?)',
    to,
    from,
    to,
  );
  await deleteContacts(tx, [from]);
}
