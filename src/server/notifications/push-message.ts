// Push messages about answers of persons: encrypted notifications, signed with the key of the server, and the push services
// that get them.
import { createHash } from 'node:crypto';
import type { generateRequestDetails } from 'web-push';
import { textsFor } from '../../locales/index.ts';
import type { PushContent } from '../../protocol/push.ts';
import type { PushSubscriptionRow, VapidKeys } from '../storage/notifications/push-subscriptions.ts';
import type { MailedAnswer } from './answer-text.ts';
import { inOneLine } from './mailer.ts';

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

// Decides which addresses of push services the server sends to, because a visitor's browser, or anybody else, names them.

/** The push services of Chromium, Firefox, Safari and Edge. A pattern with `*.` matches all hosts below it. */
const publicServices = [
  'fcm.googleapis.com',
  'updates.push.services.mozilla.com',
  '*.push.apple.com',
  '*.notify.windows.com',
];

/** `service`: of a public push service; `own`: of a host that the operator has named; `refused`: any other. */
export type EndpointKind = 'service' | 'own' | 'refused';

/**
 * Returns the kind of an endpoint. `ownHosts`: host names that the operator has named, with a port if it is not the
 * default one. Only they may be in a private network, or without TLS.
 */
export function endpointKind(endpoint: string, ownHosts: readonly string[]): EndpointKind {
  if (!URL.canParse(endpoint)) return 'refused';
  const { protocol, host, hostname, port, username, password } = new URL(endpoint);
  if (username || password || !['https:', 'http:'].includes(protocol)) return 'refused';
  if (ownHosts.includes(host)) return 'own';
  if (protocol !== 'https:' || port) return 'refused';
  const isPublic = publicServices.some((pattern) =>
    pattern.startsWith('*.') ? hostname.endsWith(pattern.slice(1)) : hostname === pattern,
  );
  return isPublic ? 'service' : 'refused';
}
