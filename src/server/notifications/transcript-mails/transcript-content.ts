// What a visitor gets who has asked for the transcript of a conversation: the messages, or a link to an address that is not
// confirmed.
import { textOfPayload } from '../../api/message-text.ts';
import type { BotRow } from '../../storage/bots/bots.ts';
import { readConfiguration } from '../../storage/bots/configurations.ts';
import type { Tx } from '../../storage/database.ts';
import type { NotificationRow } from '../../storage/notifications/answers.ts';
import type { ContactRow } from '../../storage/notifications/contacts.ts';
import { messagesUpTo, namesOf, type TranscriptRow } from '../../storage/notifications/transcripts.ts';
import { batchBytes, isCut } from '../../storage/reading/within-bytes.ts';
import type { MailContent } from '../answer-mails/mail-content.ts';
import { mailedText } from '../visitor-mail.ts';
import { linkMail, type MailedMessage, transcriptMail } from './transcript-mail.ts';

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

/** Returns undefined if the conversation has no messages any more. */
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
