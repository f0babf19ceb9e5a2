// Push messages about answers of persons, and the push services that get them.
import { createECDH, createHash } from 'node:crypto';
import { textsFor } from '../../locales/index.ts';
import type { PushContent } from '../../protocol/push.ts';
import type { PushSubscriptionRow } from '../storage/notifications/push-subscriptions.ts';
import type { MailedAnswer } from './answer-mail-text.ts';
import { inOneLine } from './mailer.ts';

/** Characters of a name and of a text in a notification. */
const nameLength = 40;
const textLength = 200;
export interface PushRequest {
  url: string;
  headers: Record<string, string>;
  body: Buffer;
}

/** Encrypts a push for a browser (RFC 8291), signed for its push service (RFC 8292). A newer one of the same tag replaces it. */
export type EncryptPush = (
  subscription: Pick<PushSubscriptionRow, 'endpoint' | 'p256dh' | 'auth'>,
  content: PushContent,
) => PushRequest;

export interface PushMessage {
  subscription: PushSubscriptionRow;
  conversationId: string;
  /** The newest answer. */
  answer: MailedAnswer;
  /** Whether the notification shows its text. */
  hasText: boolean;
  /** The page that a press on the notification opens. */
  url: string;
}

/** Of the conversation: a newer push replaces one that was not delivered, and a notification that is shown. */
export const topicOf = (conversationId: string): string =>
  createHash('sha256').update(`push\n${conversationId}`).digest('base64url').slice(0, 32);

/** The request to the push service. */
export function pushRequest(message: PushMessage, encrypt: EncryptPush): PushRequest {
  const { subscription, conversationId, answer, hasText, url } = message;
  const { texts, language, direction } = textsFor([subscription.locale]);
  const name = shortName(answer.name);
  return encrypt(subscription, {
    source: 'platform-webchat',
    title: texts.answerMail.subject.replace('{name}', () => name),
    ...(hasText && { body: cut(inOneLine(answer.text), textLength) }),
    tag: topicOf(conversationId),
    url,
    language,
    direction,
  });
}

/** The name of a person in a notification. */
export const shortName = (name: string): string => cut(inOneLine(name), nameLength);

/** Never half of a character that has two code units. */
function cut(text: string, length: number): string {
  const characters = [...text];
  return characters.length > length ? `${characters.slice(0, length).join('')}…` : text;
}

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
 * Returns the kind of an endpoint. `ownHosts`: host names that the operator has named, with a port if it is not the default
 * one. Only they may be in a private network, or without TLS. A visitor's browser, or anybody else, names these addresses.
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

/** Whether a public key of a browser can be used: any other would fail at each push. */
export function isPushKey(key: string): boolean {
  const own = createECDH('prime256v1');
  own.generateKeys();
  try {
    own.computeSecret(key, 'base64url');
    return true;
  } catch {
    return false;
  }
}
