// Links in mails that open one conversation on any device. Only the hash of a token is stored.
import { createHash, randomBytes } from 'node:crypto';
import type { BotRow } from '../../storage/bots/bots.ts';
import type { ConversationRow } from '../../storage/chat/conversations.ts';
import { conversationById } from '../../storage/chat/conversations.ts';
import { type UserRow, userById } from '../../storage/chat/users.ts';
import type { Tx, WriteTx } from '../../storage/database.ts';
import type { ContactRow } from '../../storage/notifications/contacts.ts';
import {
  findReturnLink,
  insertReturnLink,
  type ReturnLinkRow,
} from '../../storage/notifications/return-links.ts';

/** Milliseconds that a link, and a key that it gives, is valid: 14 days. */
export const returnLinkLifetimeMs = 14 * 24 * 60 * 60 * 1_000;

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

/**
 * Creates a link to a conversation. The token is in the fragment, which browsers send to no server, so that no log and no
 * `Referer` has it. The address of the chat stands behind it, because the page must know whom to ask.
 */
export async function createReturnLink(
  tx: WriteTx,
  {
    bot,
    conversationId,
    contact,
  }: { bot: BotRow; conversationId: string; contact: Pick<ContactRow, 'userId' | 'addressHash'> },
  { address, now }: { address: string; now: number },
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await insertReturnLink(tx, {
    hash: hashOf(token),
    conversationId,
    userId: contact.userId,
    addressHash: contact.addressHash,
    ownKeys: bot.ownKeys,
    createdAt: now,
    expiresAt: now + returnLinkLifetimeMs,
  });
  return `${address}/c/#${token}.${bot.webhookId}`;
}

/** Returns what a token opens now; undefined if it opens nothing any more, for whatever reason. */
export async function openedBy(
  tx: Tx,
  token: string,
  bot: BotRow,
  now: number,
): Promise<{ link: ReturnLinkRow; conversation: ConversationRow; user: UserRow } | undefined> {
  const link = await findReturnLink(tx, hashOf(token));
  if (!link || link.expiresAt <= now || link.ownKeys !== bot.ownKeys) return undefined;
  const user = await userById(tx, link.userId);
  const conversation = await conversationById(tx, link.conversationId);
  if (!user || user.botId !== bot.id || conversation?.ownerId !== user.id) return undefined;
  // The visitor has logged out everywhere since.
  if (user.keysValidAfter !== null && link.createdAt <= user.keysValidAfter) return undefined;
  return { link, conversation, user };
}
