// Transcripts by mail: requests of visitors, and mails with the messages of a conversation or with a link to it.
import { textsFor } from '../../locales/index.ts';
import type { MailedTranscript } from '../../protocol/types/visitors.ts';
import { ApiError } from '../api/errors.ts';
import type { RequestQuota } from '../api/handler.ts';
import { textOfPayload } from '../api/message-text.ts';
import type { BotRow } from '../storage/bots/bots.ts';
import { readConfiguration } from '../storage/bots/configurations.ts';
import type { ConversationRow } from '../storage/chat/conversations.ts';
import { messagesUpTo, namesOf, newestMessage, type TranscriptRow } from '../storage/chat/messages.ts';
import type { Tx, WriteTx } from '../storage/database.ts';
import {
  deleteNotification,
  insertNotification,
  lastSentAt,
  type NotificationRow,
  waitingNotification,
} from '../storage/notifications/answers.ts';
import { type ContactRow, contactStateOf, findContact } from '../storage/notifications/contacts.ts';
import { hasReturnLink, mailedAddress } from '../storage/notifications/return-links.ts';
import { batchBytes, isCut } from '../storage/read-bytes.ts';
import { mailButton, mailHint, mailMessage, mailParagraph } from './mail-html.ts';
import type { Mail } from './mailer.ts';
import {
  type MailContent,
  type MailedNotification,
  mailedName,
  mailedText,
  mailLimits,
  visitorMail,
} from './visitor-mail.ts';

export interface TranscriptMails {
  /**
   * Queues the mail of a conversation, whose lock is held, to its owner. Throws ResourceNotFound without an address or
   * without messages, Forbidden for an address that gets no mails, and RateLimited. `quota`: of the network address that asks.
   */
  request(
    tx: WriteTx,
    conversation: ConversationRow,
    quota: Pick<RequestQuota, 'create'>,
  ): Promise<MailedTranscript>;
}

/**
 * Accepts the request of a visitor to mail a conversation. The mail is sent in the background, as mails about answers are.
 * `onRequest`: called after the commit.
 */
export function createTranscriptMails(now: () => number, onRequest: () => void): TranscriptMails {
  return {
    async request(tx, { id, botId, ownerId }, quota) {
      const contact = await findContact(tx, ownerId);
      if (!contact) throw new ApiError('ResourceNotFound', 'The user has left no e-mail address.');
      const newest = await newestMessage(tx, id);
      if (newest === undefined) throw new ApiError('ResourceNotFound', 'The conversation has no messages.');
      const isConfirmed = contact.confirmedAt !== null;
      const result: MailedTranscript = {
        email: contact.email,
        sends: isConfirmed ? 'transcript' : 'link',
      };
      const isReachable = ['new', 'confirmed'].includes(contactStateOf(contact));
      if (isConfirmed && !isReachable)
        throw new ApiError(
          'Forbidden',
          'This address gets no mails: they cannot be delivered, or were ended.',
        );
      const day = Math.floor(now() / mailLimits.dayMs);
      const mailed = await mailedAddress(tx, { addressHash: contact.addressHash, botId, day });
      const isUsedUp = !isConfirmed && mailed.unconfirmed >= mailLimits.mostUnconfirmed;
      const isLimited = isUsedUp || mailed.sent >= mailLimits.mostRequested;
      const isKnown = isConfirmed || (await hasReturnLink(tx, ownerId, contact.addressHash));
      if (isLimited && isKnown) throw tooMany(now());
      // Anyone can enter any number of addresses, and begin another conversation, or be another visitor, for each.
      if (!isConfirmed) quota.create('mails');
      // Requests of other visitors for an address are not revealed to somebody who has only entered it.
      if (!isReachable || isLimited) return result;
      const row = { conversationId: id, target: ownerId, channel: 'transcript', fromSeq: newest } as const;
      const waits = { ...row, dueAt: now(), attempts: 0, firstAt: null };
      // The same messages again, later: the first mail may be lost. A mail that waits is not sent twice.
      const waiting = await waitingNotification(tx, waits);
      const isRecent = now() - (await lastSentAt(tx, waits)) < mailLimits.betweenMailsMs;
      if (!waiting && !isRecent) await deleteNotification(tx, waits);
      // A mail that is being sent lacks what was written since; a link leads to all messages.
      await insertNotification(tx, waits, { evenIfAttempted: isConfirmed });
      tx.afterCommit(onRequest);
      return result;
    },
  };
}

function tooMany(now: number): ApiError {
  const retryAfter = Math.ceil((mailLimits.dayMs - (now % mailLimits.dayMs)) / 1_000);
  return new ApiError(
    'RateLimited',
    `Too many mails were sent to this address. Try again in ${retryAfter} s.`,
    { retryAfter },
    { 'retry-after': String(retryAfter) },
  );
}

/** A message as the mail has it. */
export interface MailedMessage {
  text: string;
  /** Milliseconds since 1970. */
  at: number;
  /** Written by the reader. */
  isOwn: boolean;
  name: string;
}

interface Common {
  to: string;
  /** The language that the visitor reads. */
  locale: string;
  /** The host of the server. */
  site: string;
  notification: MailedNotification;
  /** The address that opens the conversation; not used by the transcript, which people pass on. */
  returnUrl: string;
  unsubscribeUrl: string;
}

/** `messages`: oldest first; `isCut`: earlier ones are left out. */
export function transcriptMail({
  messages,
  isCut,
  ...common
}: Common & { messages: readonly MailedMessage[]; isCut: boolean }): Mail {
  const { own } = textsOf(common);
  const shown = messages.map(({ text, at, isOwn, name }) => ({
    text,
    isOwn,
    name: isOwn ? own.you : mailedName(name),
    time: `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
  }));
  const newest = isCut ? [own.newest] : [];
  return mailOf(common, 'transcript', {
    text: [own.intro, ...newest, ...shown.map(({ name, time, text }) => `[${time}] ${name}:\n${text}`)],
    html: [
      ...newest.map(mailHint),
      ...shown.map(({ name, time, text, isOwn }) => mailMessage(name, text, { time, isOwn })),
    ],
  });
}

export function linkMail(common: Common): Mail {
  const { own, all } = textsOf(common);
  return mailOf(common, 'link', {
    text: [own.link, `${all.open}:\n${common.returnUrl}`, all.validity],
    html: [mailParagraph(own.link), mailButton(common.returnUrl, all.open), mailHint(all.validity)],
  });
}

function textsOf({ locale, site }: Pick<Common, 'locale' | 'site'>) {
  const { texts, ...language } = textsFor([locale]);
  const filled = <Texts extends object>(texts: Texts): Texts =>
    Object.fromEntries(
      Object.entries(texts).map(([name, text]: [string, string]) => [
        name,
        text.replace('{site}', () => site),
      ]),
    ) as Texts;
  return {
    own: filled(texts.transcriptMail),
    all: filled({ ...texts.answerMail, ...texts.linkPages }),
    ...language,
  };
}

function mailOf(common: Common, kind: string, content: { text: string[]; html: string[] }): Mail {
  const { to, site, notification, unsubscribeUrl } = common;
  const { own, all, language, direction } = textsOf(common);
  return visitorMail({
    ...{ to, kind, notification, site, language, direction, unsubscribeUrl, ...content },
    ...{ subject: own.subject, reason: all.reason, stop: all.stop },
  });
}

/** Messages in one mail, and the characters of all of them. */
const maxMessages = 500;
const maxCharacters = 200_000;
/** Messages that are read at once, and the characters that are read for one mail. */
const batchSize = 10;
const maxRead = 4_000_000;

interface TranscriptOptions {
  row: NotificationRow;
  bot: BotRow;
  contact: Pick<ContactRow, 'email' | 'locale' | 'confirmedAt'>;
  /** The host of the server. */
  site: string;
}

/**
 * The content of the mail with a transcript: the messages, or a link if the address is not confirmed. Returns undefined if the
 * conversation has no messages any more.
 */
export async function transcriptContent(
  tx: Tx,
  { row, bot, contact: { email: to, locale, confirmedAt }, site }: TranscriptOptions,
): Promise<MailContent | undefined> {
  const common = { to, locale, site, notification: row };
  // Nobody may send words of their own to addresses of other people.
  if (confirmedAt === null)
    return { earliest: 0, hasLink: true, mail: (urls) => linkMail({ ...common, ...urls }) };
  const { found, isCut } = await newestTexts(tx, row);
  if (found.length === 0) return undefined;
  const names = await namesOf(tx, [...new Set(found.map(({ userId }) => userId))]);
  const botName = await botNameOf(tx, bot);
  const messages = found.map(
    ({ userId, isBot, author, createdAt, text }): MailedMessage => ({
      text,
      at: createdAt,
      isOwn: userId === row.target && isBot === 0,
      name: nameOf(author) ?? (isBot === 1 ? botName : (names.get(userId) ?? '–')),
    }),
  );
  return {
    earliest: 0,
    hasLink: false,
    mail: (urls) => transcriptMail({ ...common, ...urls, messages, isCut }),
  };
}

type MessageText = Omit<TranscriptRow, 'payload' | 'seq'> & { text: string };

/** The newest messages that fit in a mail, oldest first. `isCut`: earlier ones are left out. */
async function newestTexts(
  tx: Tx,
  { conversationId, fromSeq }: NotificationRow,
): Promise<{ found: MessageText[]; isCut: boolean }> {
  const found: MessageText[] = [];
  let [characters, read] = [0, 0];
  for (let upTo = fromSeq; ; ) {
    const rows = await messagesUpTo(tx, conversationId, upTo, batchSize, batchBytes);
    for (const { payload, seq, ...message } of rows) {
      const text = mailedText(textOfPayload(payload));
      characters += text.length;
      read += payload.length;
      const isFull = found.length === maxMessages || characters > maxCharacters;
      // The newest one is there in any case.
      if (isFull || (read > maxRead && found.length > 0)) return { found: found.reverse(), isCut: true };
      found.push({ ...message, text });
      upTo = seq - 1;
    }
    if (rows.length < batchSize && !isCut(rows, batchBytes)) return { found: found.reverse(), isCut: false };
  }
}

/** The person who wrote it; undefined for visitors and bots. */
const nameOf = (author: string | null | undefined): string | undefined =>
  (JSON.parse(author ?? '{}') as { name?: string }).name;

/** The name that the window shows; a configuration that is in a file is not read for it. */
async function botNameOf(tx: Tx, { id, name }: BotRow): Promise<string> {
  const { botName } = JSON.parse(await readConfiguration(tx, id)) as { botName?: unknown };
  return typeof botName === 'string' && botName.trim() ? botName : name;
}
