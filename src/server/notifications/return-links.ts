// Links in mails that open one conversation on any device. Only the hash of a token is stored.
import { createHash, randomBytes } from 'node:crypto';
import { textsFor } from '../../locales/index.ts';
import { escaped, plainPage } from '../api/html.ts';
import type { AddressSettings } from '../startup/address-settings.ts';
import type { BotRow } from '../storage/bots/bots.ts';
import { type ConversationRow, conversationById } from '../storage/chat/conversations.ts';
import { type UserRow, userById } from '../storage/chat/users.ts';
import type { Database, Tx, WriteTx } from '../storage/database.ts';
import type { ContactRow } from '../storage/notifications/contacts.ts';
import {
  findReturnLink,
  insertReturnLink,
  type ReturnLinkRow,
  unsubscribe,
  userOfToken,
} from '../storage/notifications/return-links.ts';

/** Milliseconds that a link, and a key that it gives, is valid: 14 days. */
export const returnLinkLifetimeMs = 14 * 24 * 60 * 60 * 1_000;

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

/**
 * Creates a link to a conversation. The token is in the fragment, which browsers send to no server, so that no log and no
 * `Referer` has it. The address of the chat follows it, because the page must know which server to ask.
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

interface UnsubscribeOptions {
  db: Database;
  settings: AddressSettings;
  /** Stores a change of what the team sees about a visitor by calling `store`, and returns its result. */
  handlings: { changeVisitor<T>(tx: WriteTx, userId: string, store: () => Promise<T>): Promise<T> };
  now: () => number;
}

/**
 * Returns the handler of the address that ends mails to an e-mail address: mail programs post to it (RFC 8058), people open it
 * and press a button. Opening the address changes nothing, because scanners of mails do that.
 */
export function createUnsubscribe({ settings, db, handlings, now }: UnsubscribeOptions) {
  const site = settings.PUBLIC_URL && new URL(settings.PUBLIC_URL).hostname;
  /** Ends the mails, and tells the team that sees the address. */
  const endMails = async (tx: WriteTx, token: string): Promise<boolean> => {
    const userId = await userOfToken(tx, token);
    const end = () => unsubscribe(tx, token, now());
    return userId === undefined ? end() : handlings.changeVisitor(tx, userId, end);
  };
  return async ({ method, headers }: Request, token: string): Promise<Response> => {
    const languages = (headers.get('accept-language') ?? '').slice(0, 200).split(',');
    const { texts, language } = textsFor(languages.map((one) => one.split(';')[0] ?? ''));
    const { linkPages, answerMail } = texts;
    const page = (content: string, status = 200) =>
      plainPage({ language, title: escaped(linkPages.stop), content, status });
    const stop = escaped(linkPages.stop);
    const form = `<form method="post"><button>${stop}</button></form>`;
    if (method === 'GET' || method === 'HEAD') {
      if (!site) return page(`<h1>${stop}</h1>${form}`);
      // Not the words of the button: who has sent the mails, and why.
      const reason = escaped(answerMail.reason.replace('{site}', () => site));
      return page(`<h1>${escaped(site)}</h1><p>${reason}</p>${form}`);
    }
    if (method !== 'POST') return new Response(null, { status: 405, headers: { allow: 'GET, HEAD, POST' } });
    const isKnown = /^[\da-f]{32}$/.test(token) && (await db.write((tx) => endMails(tx, token)));
    return page(`<h1>${escaped(isKnown ? linkPages.stopped : linkPages.ended)}</h1>`, isKnown ? 200 : 404);
  };
}
