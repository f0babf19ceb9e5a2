// The texts of alerts: mails, pushes and messages to chat tools about visitors who wait. They contain the name of the visitor, and
// nothing that was written.
import { createHash } from 'node:crypto';
import type { PushContent } from '../../../protocol/push.ts';
import { escaped } from '../../api/html.ts';
import { timestamp } from '../../api/serializers.ts';
import {
  mailButton,
  mailHint,
  mailLink,
  mailListLink,
  memberMailHtml,
} from '../../notifications/mail-html.ts';
import { inOneLine, type Mail } from '../../notifications/mailer.ts';
import { shortName, topicOf } from '../../notifications/push-message.ts';

/** A visitor who waits. */
export interface WaitingVisitor {
  conversationId: string;
  /** As the visitor has written it. */
  name: string | null;
  waitingSince: number;
}

const nameOf = ({ name }: WaitingVisitor): string => shortName(name ?? '') || 'A visitor';

/** The conversation in the console. */
export const conversationUrl = (address: string, conversationId: string): string =>
  `${address}/console/?list=all&conversation=${encodeURIComponent(conversationId)}`;

/** Visitors that one mail names. */
const mostNamed = 20;

/** The mail to a member about everybody who waits. */
export function alertMail({
  to,
  memberId,
  workspaceName,
  waiting,
  address,
}: {
  to: string;
  memberId: string;
  workspaceName: string;
  waiting: readonly WaitingVisitor[];
  address: string;
}): Mail {
  const [first] = waiting;
  const lines = waiting
    .slice(0, mostNamed)
    .map((one) => ({ text: waitsText(one), url: conversationUrl(address, one.conversationId) }));
  const more = waiting.length > mostNamed ? `And ${waiting.length - mostNamed} more.` : '';
  const name = inOneLine(workspaceName);
  const settings = `${address}/console/?page=account`;
  const end = `You get this mail because you answer visitors of ${name}, and nobody who could answer has the inbox open. You can switch these mails off in your account:`;
  const parts = [...lines.map(({ text, url }) => `${text}:\n${url}`), more, `${end}\n${settings}`];
  const waits = waiting.map(({ conversationId, waitingSince }) => `${conversationId} ${waitingSince}`);
  const id = createHash('sha256')
    .update([memberId, ...waits].join('\n'))
    .digest('base64url')
    .slice(0, 32);
  const subject =
    waiting.length === 1 && first ? waitsText(first) : `${waiting.length} visitors wait for an answer`;
  return {
    to,
    subject,
    text: `${parts.filter(Boolean).join('\n\n')}\n`,
    html: memberMailHtml({
      from: name,
      title: subject,
      content:
        lines.length === 1
          ? lines.map(({ url }) => mailButton(url, 'Open the conversation'))
          : [...lines.map(({ text, url }) => mailListLink(url, text)), ...(more ? [mailHint(more)] : [])],
      footer: `${escaped(end)} ${mailLink(settings, 'Account')}`,
    }),
    messageId: `<alert-${id}@${new URL(address).hostname}>`,
  };
}

const waitsText = (visitor: WaitingVisitor): string => `${nameOf(visitor)} waits for an answer`;

/** The push to a browser of a member. */
export const alertPush = (visitor: WaitingVisitor, address: string): PushContent => ({
  source: 'platform-webchat',
  title: waitsText(visitor),
  tag: topicOf(visitor.conversationId),
  url: conversationUrl(address, visitor.conversationId),
  language: 'en',
  direction: 'ltr',
});

/**
 * The message to the chat tool. `text` is read by Slack, Mattermost and Google Chat, `content` by Discord; programs read the other
 * fields.
 */
export function alertMessage(visitor: WaitingVisitor, address: string) {
  const url = conversationUrl(address, visitor.conversationId);
  const text = `${plainName(nameOf(visitor))} waits for an answer: ${url}`;
  return {
    text,
    content: text,
    type: 'conversation_waiting',
    conversationId: visitor.conversationId,
    url,
    visitor: nameOf(visitor),
    waitingSince: timestamp(visitor.waitingSince),
  } as const;
}

/** The message of a test. */
export function testMessage(address: string) {
  const text = `This is a test. Visitors who wait for an answer are announced here. Inbox: ${address}/console/`;
  return { text, content: text, type: 'test' } as const;
}

/**
 * A name without the signs with which chat tools mention everybody, show links, or format texts: the visitor chooses it. A dot within
 * a word would make it a link.
 */
const plainName = (name: string): string =>
  name
    .replace(/(?!\u200c|\u200d)[^\p{L}\p{M}\p{N}\p{Extended_Pictographic} .,'’-]/gu, ' ')
    .replace(/\.(?=\S)/g, ' ')
    .replace(/ +/g, ' ')
    .trim() || 'A visitor';
