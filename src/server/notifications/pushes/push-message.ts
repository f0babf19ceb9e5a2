// What a push service gets about answers of persons: an encrypted notification, signed with the key of the server.

import { createHash } from 'node:crypto';
import type { generateRequestDetails } from 'web-push';
import { textsFor } from '../../../locales/index.ts';
import type { PushContent } from '../../../protocol/push.ts';
import type { PushSubscriptionRow } from '../../storage/notifications/push-subscriptions.ts';
import type { VapidKeys } from '../../storage/notifications/vapid-keys.ts';
import type { MailedAnswer } from '../answer-mails/answer-mail.ts';
import { inOneLine } from '../one-line.ts';

/** Seconds that a push service keeps a push for a browser that is not running: a day. */
export const pushLifetimeSeconds = 24 * 60 * 60;
/** Characters of a name and of a text in a notification. */
const nameLength = 40;
const textLength = 200;
/** Bytes to which a push is padded, so that its length does not tell the length of a name. */
const paddedLength = 512;

export interface PushRequest {
  url: string;
  headers: Record<string, string>;
  body: Buffer;
}

export interface PushMessage {
  subscription: PushSubscriptionRow;
  conversationId: string;
  /** The newest answer. */
  answer: MailedAnswer;
  /** Whether the notification shows its text. */
  hasText: boolean;
  /** The page that a press on the notification opens. */
  url: string;
  vapid: VapidKeys & { subject: string };
}

/** Of the conversation: a newer push replaces one that was not delivered, and a notification that is shown. */
export const topicOf = (conversationId: string): string =>
  createHash('sha256').update(`push\n${conversationId}`).digest('base64url').slice(0, 32);

/** The request to the push service: encrypted for the browser (RFC 8291), signed for the service (RFC 8292). */
export function pushRequest(
  message: PushMessage,
  requestDetails: typeof generateRequestDetails,
): PushRequest {
  const { subscription, conversationId, answer, hasText, url, vapid } = message;
  const { endpoint, p256dh, auth, locale } = subscription;
  const { texts, language, direction } = textsFor([locale]);
  const name = cut(inOneLine(answer.name), nameLength);
  const content: PushContent = {
    source: 'platform-webchat',
    title: texts.answerMail.subject.replace('{name}', () => name),
    ...(hasText && { body: cut(inOneLine(answer.text), textLength) }),
    tag: topicOf(conversationId),
    url,
    language,
    direction,
  };
  const { headers, body } = requestDetails(
    { endpoint, keys: { p256dh, auth } },
    // Spaces after JSON change nothing.
    Buffer.from(JSON.stringify(content)).toString().padEnd(paddedLength),
    {
      vapidDetails: vapid,
      TTL: pushLifetimeSeconds,
      urgency: 'high',
      topic: topicOf(conversationId),
      contentEncoding: 'aes128gcm',
    },
  );
  return {
    url: endpoint,
    headers: Object.fromEntries(
      Object.entries(headers).map(([key, value]) => [key.toLowerCase(), String(value)]),
    ),
    body: body ?? Buffer.alloc(0),
  };
}

/** Never half of a character that has two code units. */
function cut(text: string, length: number): string {
  const characters = [...text];
  return characters.length > length ? `${characters.slice(0, length).join('')}…` : text;
}
