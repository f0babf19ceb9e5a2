// The frame of mails to visitors: plain text and HTML in the language of the visitor, the way to end mails, and an id that is the
// same when a mail is sent again. Nothing of other servers is in it.
import { createHash } from 'node:crypto';
import { escaped } from '../api/html.ts';
import { beginningOf } from '../api/message-text.ts';
import { mailHtml, mailLink } from './mail-html.ts';
import { inOneLine, type Mail } from './mailer.ts';

/** Characters of a message and of a name in a mail. */
const textLength = 4_000;
const nameLength = 100;

/** The key of the row of a notification. */
export interface MailedNotification {
  conversationId: string;
  target: string;
  fromSeq: number;
}

export interface VisitorMail {
  to: string;
  /** The kind of the mail: two kinds of mails about one notification are two mails. */
  kind: string;
  notification: MailedNotification;
  /** The host of the server. */
  site: string;
  language: string;
  direction: string;
  subject: string;
  /** Paragraphs of the plain text; blocks of the HTML, below the subject, which are escaped. */
  text: readonly string[];
  html: readonly string[];
  /** Why the visitor gets it, and the name of the link that ends mails. */
  reason: string;
  stop: string;
  unsubscribeUrl: string;
}

/** Composes a mail to a visitor. */
export function visitorMail(mail: VisitorMail): Mail {
  const { to, kind, notification, site, language, direction, subject, text, html } = mail;
  const { reason, stop, unsubscribeUrl } = mail;
  const { conversationId, target, fromSeq } = notification;
  const id = createHash('sha256').update(`${kind}\n${conversationId}\n${target}\n${fromSeq}`).digest('hex');
  return {
    to,
    subject,
    text: [...text, `--\n${reason}\n${stop}:\n${unsubscribeUrl}\n`].join('\n\n'),
    html: mailHtml({
      ...{ language, direction, from: site, title: subject, content: html },
      footer: `${escaped(reason)} ${mailLink(unsubscribeUrl, stop)}`,
    }),
    messageId: `<${id.slice(0, 32)}@${site}>`,
    headers: {
      'List-Unsubscribe': `<${unsubscribeUrl}>`,
      // RFC 8058: the mail program posts to the address without asking.
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  };
}

/**
 * A text of a message without control characters, such as those that change its direction. Line breaks stay, and the joiners of
 * Persian words and of emoji.
 */
export function mailedText(text: string): string {
  const plain = text.replace(/[^\P{C}\n\u200c\u200d]/gu, '').trim();
  return plain.length > textLength ? `${beginningOf(plain, textLength)}…` : plain;
}

/** A name in one line; empty if nothing of it can be shown. */
export const mailedName = (name: string): string => beginningOf(inOneLine(name), nameLength);

/** The content of a mail to a visitor, without its addresses. */
export interface MailContent {
  /** When it may be sent, in milliseconds since 1970. */
  earliest: number;
  /** The sequence number of the last answer in it; undefined for a transcript. */
  upTo?: number | undefined;
  /** Whether it has a link that opens the conversation. */
  hasLink: boolean;
  /** `returnUrl`: the address of that link; '' without one. */
  mail(urls: { returnUrl: string; unsubscribeUrl: string }): Mail;
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** The limits of mails to one address, whoever entered it. Times in milliseconds. */
export const mailLimits = {
  minuteMs,
  dayMs,
  /** Between two mails about a conversation. */
  betweenMailsMs: 15 * minuteMs,
  /** Mails without an opened link. */
  mostUnconfirmed: 3,
  /** Mails in a day. */
  mostInDay: 10,
  /** Mails in a day after which no transcript can be requested: answers must still be possible. */
  mostRequested: 5,
} as const;
