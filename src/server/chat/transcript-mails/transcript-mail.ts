// The mail with the transcript of a conversation, and the one with a link to it: plain text and HTML in the language of the
// visitor, without anything of other servers, and without addresses of files, because whoever has one can read the file.

import { createHash } from 'node:crypto';
import { answerTextsFor } from '../../../protocol/locale/answer-mails/index.ts';
import { transcriptTexts } from '../../../protocol/locale/transcript-mails/index.ts';
import { textOfPayload } from '../../api/message-text.ts';
import { escaped, inOneLine } from '../../mail/html.ts';
import type { Mail } from '../../mail/mailer.ts';
import type { MessageRow } from '../../storage/chat/messages.ts';
import type { NotificationRow } from '../../storage/notifications/answers.ts';

/** Characters of a message and of a name in a mail. */
const textLength = 4_000;
const nameLength = 100;

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
  notification: Pick<NotificationRow, 'conversationId' | 'target' | 'fromSeq'>;
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
    name: isOwn ? own.you : inOneLine(name).slice(0, nameLength),
    time: `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
  }));
  const newest = isCut ? [own.newest] : [];
  return mailOf(common, 'transcript', {
    text: [own.intro, ...newest, ...shown.map(({ name, time, text }) => `[${time}] ${name}:\n${text}`)],
    html: [
      ...[own.intro, ...newest].map((line) => `<p>${escaped(line)}</p>`),
      ...shown.map(
        ({ name, time, text }) => `<p dir="auto"><b>${escaped(name)}</b> <small>${time}</small><br>
${escaped(text).replaceAll('\n', '<br>\n')}</p>`,
      ),
    ],
  });
}

export function linkMail(common: Common): Mail {
  const { own, all } = textsOf(common);
  return mailOf(common, 'link', {
    text: [own.link, `${all.open}:\n${common.returnUrl}`, all.validity],
    html: [
      `<p>${escaped(own.link)}</p>`,
      `<p><a href="${escaped(common.returnUrl)}">${escaped(all.open)}</a></p>`,
      `<p>${escaped(all.validity)}</p>`,
    ],
  });
}

/** The text of a message without control characters, such as those that change its direction. */
export function plainText({ payload }: Pick<MessageRow, 'payload'>): string {
  const text = textOfPayload(payload)
    .replace(/[^\P{C}\n]/gu, '')
    .trim();
  return text.length > textLength ? `${text.slice(0, textLength)}…` : text;
}

function textsOf({ locale, site }: Pick<Common, 'locale' | 'site'>) {
  const { texts: all, ...language } = answerTextsFor([locale]);
  const own = transcriptTexts[language.language] ?? transcriptTexts.en;
  if (!own) throw new Error('There are no English texts.');
  const filled = <Texts extends object>(texts: Texts): Texts =>
    Object.fromEntries(
      Object.entries(texts).map(([name, text]: [string, string]) => [
        name,
        text.replace('{site}', () => site),
      ]),
    ) as Texts;
  return { own: filled(own), all: filled(all), ...language };
}

function mailOf(common: Common, kind: string, { text, html }: { text: string[]; html: string[] }): Mail {
  const { to, site, notification, unsubscribeUrl } = common;
  const { own, all, language, direction } = textsOf(common);
  const { conversationId, target, fromSeq } = notification;
  const id = createHash('sha256').update(`${kind}\n${conversationId}\n${target}\n${fromSeq}`).digest('hex');
  return {
    to,
    subject: own.subject,
    text: [...text, `--\n${all.reason}\n${all.stop}:\n${unsubscribeUrl}\n`].join('\n\n'),
    html: `<!doctype html><html lang="${language}" dir="${direction}"><meta charset="utf-8"><body>
${html.join('\n')}
<p><small>${escaped(all.reason)} <a href="${escaped(unsubscribeUrl)}">${escaped(all.stop)}</a></small></p></body></html>
`,
    // The same for a mail that is sent again.
    messageId: `<${id.slice(0, 32)}@${site}>`,
    headers: {
      'List-Unsubscribe': `<${unsubscribeUrl}>`,
      // RFC 8058: the mail program posts to the address without asking.
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  };
}
