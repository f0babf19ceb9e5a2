// The mail about answers of persons: plain text and HTML in the language of the visitor. It contains nothing that the visitor has
// written, nothing that the team has noted, and nothing of other servers.

import { createHash } from 'node:crypto';
import { answerTextsFor } from '../../../protocol/locale/answer-mails/index.ts';
import { textOfPayload } from '../../api/message-text.ts';
import { escaped, inOneLine } from '../../mail/html.ts';
import type { Mail } from '../../mail/mailer.ts';
import type { MessageRow } from '../../storage/chat/messages.ts';
import type { NotificationRow } from '../../storage/notifications/answers.ts';

/** Characters of an answer and of a name in a mail. */
const answerLength = 4_000;
const nameLength = 100;

export interface AnswerMail {
  to: string;
  /** The language that the visitor reads. */
  locale: string;
  notification: Pick<NotificationRow, 'conversationId' | 'target' | 'fromSeq'>;
  answers: readonly MessageRow[];
  /** The address that opens the conversation, and the one that ends mails. */
  returnUrl: string;
  unsubscribeUrl: string;
}

export function answerMail({
  to,
  locale,
  notification,
  answers,
  returnUrl,
  unsubscribeUrl,
}: AnswerMail): Mail {
  const { texts, language, direction } = answerTextsFor([locale]);
  const { hostname } = new URL(returnUrl);
  const name = nameOf(answers.at(-1));
  const fill = (text: string): string => text.replace('{name}', () => name).replace('{site}', () => hostname);
  const said = answers.map(answerOf);
  const intro = fill(texts.intro);
  const reason = fill(texts.reason);
  const paragraphs = said.map(
    ({ name: author, text }) => `<p dir="auto"><b>${escaped(author)}</b><br>
${escaped(text).replaceAll('\n', '<br>\n')}</p>`,
  );
  return {
    to,
    subject: fill(texts.subject),
    text: [
      intro,
      ...said.map(({ name: author, text }) => `${author}:\n${text}`),
      `${texts.open}:\n${returnUrl}`,
      texts.validity,
      `--\n${reason}\n${texts.stop}:\n${unsubscribeUrl}\n`,
    ].join('\n\n'),
    html: `<!doctype html><html lang="${language}" dir="${direction}"><meta charset="utf-8"><body>
<p>${escaped(intro)}</p>
${paragraphs.join('\n')}
<p><a href="${escaped(returnUrl)}">${escaped(texts.open)}</a></p>
<p>${escaped(texts.validity)}</p>
<p><small>${escaped(reason)} <a href="${escaped(unsubscribeUrl)}">${escaped(texts.stop)}</a></small></p></body></html>
`,
    messageId: `<${idOf(notification)}@${hostname}>`,
    headers: {
      'List-Unsubscribe': `<${unsubscribeUrl}>`,
      // RFC 8058: the mail program posts to the address without asking.
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  };
}

/** What visitors are told of a message of a person. */
export interface MailedAnswer {
  name: string;
  text: string;
}

export const answerOf = (message: MessageRow): MailedAnswer => ({
  name: nameOf(message),
  text: textOf(message),
});

/** Of the key of the row: a mail that is sent twice is one for its reader. */
const idOf = ({ conversationId, target, fromSeq }: AnswerMail['notification']): string =>
  createHash('sha256').update(`mail\n${conversationId}\n${target}\n${fromSeq}`).digest('hex').slice(0, 32);

function nameOf(message: MessageRow | undefined): string {
  const { name } = JSON.parse(message?.author ?? '{}') as { name?: string };
  return inOneLine(name ?? '').slice(0, nameLength) || 'Support';
}

/** The text of an answer. Addresses of files are left out: whoever has one can read the file. */
function textOf({ payload }: MessageRow): string {
  const text = textOfPayload(payload)
    // Line breaks stay; other control characters, such as those that change the direction of text, do not.
    .replace(/[^\P{C}\n]/gu, '')
    .trim();
  return text.length > answerLength ? `${text.slice(0, answerLength)}…` : text;
}
