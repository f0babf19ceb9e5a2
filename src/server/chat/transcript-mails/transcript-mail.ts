// The mail with the transcript of a conversation, and the one with a link to it: plain text and HTML in the language of the
// visitor, without anything of other servers, and without addresses of files, because whoever has one can read the file.
import { answerTextsFor } from '../../../protocol/locale/answer-mails.ts';
import { transcriptTexts } from '../../../protocol/locale/transcript-mails.ts';
import { escaped } from '../../api/html.ts';
import type { Mail } from '../../mail/mailer.ts';
import { type MailedNotification, mailedName, saidParagraph, visitorMail } from '../../mail/visitor-mail.ts';

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
    name: isOwn ? own.you : mailedName(name),
    time: `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
  }));
  const newest = isCut ? [own.newest] : [];
  return mailOf(common, 'transcript', {
    text: [own.intro, ...newest, ...shown.map(({ name, time, text }) => `[${time}] ${name}:\n${text}`)],
    html: [
      ...[own.intro, ...newest].map((line) => `<p>${escaped(line)}</p>`),
      ...shown.map(({ name, time, text }) => saidParagraph(name, text, ` <small>${time}</small>`)),
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

function mailOf(common: Common, kind: string, content: { text: string[]; html: string[] }): Mail {
  const { to, site, notification, unsubscribeUrl } = common;
  const { own, all, language, direction } = textsOf(common);
  return visitorMail({
    ...{ to, kind, notification, site, language, direction, unsubscribeUrl, ...content },
    ...{ subject: own.subject, reason: all.reason, stop: all.stop },
  });
}
