// SQL of the links in mails that open one conversation, and of the addresses that get them.
import { randomBytes } from 'node:crypto';
import type { Tx, WriteTx } from '../database.ts';
import { conversationBot, defineTable, insert, integer, type RowOf, text } from '../table.ts';

const returnLinks = defineTable(
  'return_links',
  {
    /** SHA-256 of the token, in hex. */
    hash: text,
    conversationId: text,
    userId: text,
    addressHash: text,
    /** The number of the secret of the bot when the link was made: it ends with the secret. */
    ownKeys: integer,
    createdAt: integer,
    expiresAt: integer,
  },
  { botId: conversationBot },
);
export type ReturnLinkRow = RowOf<typeof returnLinks>;

export async function insertReturnLink(tx: WriteTx, row: ReturnLinkRow): Promise<void> {
  await insert(tx, returnLinks, row);
}

export async function findReturnLink(tx: Tx, hash: string): Promise<ReturnLinkRow | undefined> {
  return tx.get(`SELECT ${returnLinks.columns()} FROM return_links WHERE hash = ?`, hash);
}

/** Whether a link was sent to this address for a user. */
export async function hasReturnLink(tx: Tx, userId: string, addressHash: string): Promise<boolean> {
  const row = await tx.get(
    'SELECT 1 AS found FROM return_links WHERE user_id = ? AND address_hash = ? LIMIT 1',
    userId,
    addressHash,
  );
  return row !== undefined;
}

/** The address of the site to which links lead visitors whom the site identifies; null without one. */
export async function returnUrlOf(tx: Tx, botId: string): Promise<string | null> {
  const row = await tx.get<{ url: string | null }>('SELECT return_url AS url FROM bots WHERE id = ?', botId);
  return row?.url ?? null;
}

export async function setReturnUrl(tx: WriteTx, botId: string, url: string | null): Promise<void> {
  await tx.run('UPDATE bots SET return_url = ? WHERE id = ?', url, botId);
}

/** Stores that somebody has opened a link that was sent to the address of this user. */
export async function confirmContact(
  tx: WriteTx,
  { userId, addressHash }: Pick<ReturnLinkRow, 'userId' | 'addressHash'>,
  now: number,
): Promise<void> {
  const confirmed = await tx.run(
    'UPDATE contacts SET confirmed_at = ? WHERE user_id = ? AND address_hash = ? AND confirmed_at IS NULL',
    now,
    userId,
    addressHash,
  );
  if (confirmed > 0)
    await tx.run('UPDATE mailed_addresses SET unconfirmed = 0 WHERE address_hash = ?', addressHash);
}

/** How many mails an address has got. */
export interface MailedAddress {
  /** Since somebody last confirmed it. */
  unconfirmed: number;
  /** On this day, which is counted from 1970. */
  sent: number;
  unsubscribeToken: string;
}

/** The address with this hash, which is stored when it is not yet. */
export async function mailedAddress(
  tx: WriteTx,
  { addressHash, botId, day }: { addressHash: string; botId: string; day: number },
): Promise<MailedAddress> {
  await tx.run(
    `INSERT INTO mailed_addresses (address_hash, bot_id, day, unsubscribe_token) VALUES (?, ?, ?, ?)
     ON CONFLICT (address_hash) DO UPDATE SET day = excluded.day,
       sent = CASE WHEN mailed_addresses.day = excluded.day THEN mailed_addresses.sent ELSE 0 END`,
    addressHash,
    botId,
    day,
    randomBytes(16).toString('hex'),
  );
  const row = await tx.get<MailedAddress>(
    `SELECT unconfirmed, sent, unsubscribe_token FROM mailed_addresses WHERE address_hash = ?`,
    addressHash,
  );
  if (!row) throw new Error('The address was not stored.');
  return row;
}

/** Counts a mail to an address; `by` is -1 for one that was counted and not sent. */
export async function countMail(
  tx: WriteTx,
  addressHash: string,
  { by, isUnconfirmed }: { by: 1 | -1; isUnconfirmed: boolean },
): Promise<void> {
  await tx.run(
    'UPDATE mailed_addresses SET sent = sent + ?, unconfirmed = unconfirmed + ? WHERE address_hash = ?',
    by,
    isUnconfirmed ? by : 0,
    addressHash,
  );
}

export async function setUndeliverable(tx: WriteTx, addressHash: string, now: number): Promise<void> {
  await tx.run('UPDATE mailed_addresses SET undeliverable_at = ? WHERE address_hash = ?', now, addressHash);
}

/** Ends mails to the address of this token. Returns false if there is none. */
export async function unsubscribe(tx: WriteTx, token: string, now: number): Promise<boolean> {
  const changes = await tx.run(
    'UPDATE mailed_addresses SET unsubscribed_at = COALESCE(unsubscribed_at, ?) WHERE unsubscribe_token = ?',
    now,
    token,
  );
  return changes > 0;
}

/** The visitor who has left the address of this token last. */
export async function userOfToken(tx: Tx, token: string): Promise<string | undefined> {
  const row = await tx.get<{ id: string }>(
    `SELECT c.user_id AS id FROM mailed_addresses a JOIN contacts c ON c.bot_id = a.bot_id AND c.address_hash = a.address_hash
     WHERE a.unsubscribe_token = ? ORDER BY c.updated_at DESC LIMIT 1`,
    token,
  );
  return row?.id;
}
