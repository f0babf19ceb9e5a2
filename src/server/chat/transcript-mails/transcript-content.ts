// What a visitor gets who has asked for the transcript of a conversation: the messages, or a link to an address that is not
// confirmed.
import type { BotRow } from '../../storage/bots/bots.ts';
import { readConfiguration } from '../../storage/bots/configurations.ts';
import type { MessageRow } from '../../storage/chat/messages.ts';
import type { Tx } from '../../storage/database.ts';
import type { NotificationRow } from '../../storage/notifications/answers.ts';
import type { ContactRow } from '../../storage/notifications/contacts.ts';
import { messagesUpTo, namesOf } from '../../storage/notifications/transcripts.ts';
import type { MailContent } from '../answer-mails/mail-content.ts';
import { linkMail, type MailedMessage, plainText, transcriptMail } from './transcript-mail.ts';

/** Messages in one mail, and the characters of all of them. */
const mostMessages = 500;
const mostCharacters = 200_000;

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
  const found = await messagesUpTo(tx, row.conversationId, row.fromSeq, mostMessages + 1);
  if (found.length === 0) return undefined;
  const names = await namesOf(tx, [...new Set(found.map(({ userId }) => userId))]);
  const botName = await botNameOf(tx, bot);
  const messages: MailedMessage[] = [];
  let characters = 0;
  for (const message of found.slice(-mostMessages).reverse()) {
    const text = plainText(message);
    characters += text.length;
    if (characters > mostCharacters) break;
    messages.unshift({
      text,
      at: message.createdAt,
      isOwn: message.userId === row.target && message.isBot === 0,
      name: nameOf(message) ?? (message.isBot === 1 ? botName : (names.get(message.userId) ?? '–')),
    });
  }
  const isCut = messages.length < found.length;
  return {
    earliest: 0,
    hasLink: false,
    mail: (urls) => transcriptMail({ ...common, ...urls, messages, isCut }),
  };
}

/** The person who wrote it; undefined for visitors and bots. */
const nameOf = ({ author }: MessageRow): string | undefined =>
  (JSON.parse(author ?? '{}') as { name?: string }).name;

/** The name that the window shows; a configuration that is in a file is not read for it. */
async function botNameOf(tx: Tx, { id, name }: BotRow): Promise<string> {
  const { botName } = JSON.parse(await readConfiguration(tx, id)) as { botName?: unknown };
  return typeof botName === 'string' && botName.trim() ? botName : name;
}
