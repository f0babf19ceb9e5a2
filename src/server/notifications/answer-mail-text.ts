// The mail about answers of persons: plain text and HTML in the language of the visitor. It contains nothing that the visitor has
// written, nothing that the team has noted, and nothing of other servers.
import { textsFor } from '../../locales/index.ts';
import { textOfPayload } from '../api/message-text.ts';
import type { MessageRow } from '../storage/chat/messages.ts';
import { mailButton, mailHint, mailMessage } from './mail-html.ts';
import type { Mail } from './mailer.ts';
import { type MailedNotification, mailedName, mailedText, visitorMail } from './visitor-mail.ts';

export interface AnswerMail {
  to: string;
  /** The language that the visitor reads. */
  locale: string;
  notification: MailedNotification;
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
  const { texts, language, direction } = textsFor([locale]);
  const { answerMail: own, linkPages } = texts;
  const { hostname } = new URL(returnUrl);
  const name = nameOf(answers.at(-1));
  const fill = (text: string): string => text.replace('{name}', () => name).replace('{site}', () => hostname);
  const said = answers.map(answerOf);
  const intro = fill(own.intro);
  return visitorMail({
    ...{ to, notification, language, direction, unsubscribeUrl },
    kind: 'mail',
    site: hostname,
    subject: fill(own.subject),
    text: [
      intro,
      ...said.map(({ name: author, text }) => `${author}:\n${text}`),
      `${linkPages.open}:\n${returnUrl}`,
      own.validity,
    ],
    html: [
      ...said.map(({ name: author, text }, index) =>
        mailMessage(author === said[index - 1]?.name ? '' : author, text),
      ),
      mailButton(returnUrl, linkPages.open),
      mailHint(own.validity),
    ],
    reason: fill(own.reason),
    stop: linkPages.stop,
  });
}

/** The parts of a message of a person that visitors see in a notification. */
export interface MailedAnswer {
  name: string;
  text: string;
}

export const answerOf = (message: MessageRow): MailedAnswer => ({
  name: nameOf(message),
  // Addresses of files are left out: whoever has one can read the file.
  text: mailedText(textOfPayload(message.payload)),
});

function nameOf(message: MessageRow | undefined): string {
  const { name } = JSON.parse(message?.author ?? '{}') as { name?: string };
  return mailedName(name ?? '') || 'Support';
}
