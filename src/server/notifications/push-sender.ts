// Encrypts pushes for browsers, signs them with the key of the server, and sends them to push services.
import type { Logger } from 'pino';
import { readRetryAfter } from '../api/outgoing-requests.ts';
import type { Database } from '../storage/database.ts';
import { ensureVapidKeys } from '../storage/notifications/push-subscriptions.ts';
import { type EncryptPush, endpointKind, type PushRequest } from './push-message.ts';

/** Seconds that a push service keeps a push for a browser that is not running: a day. */
export const pushLifetimeSeconds = 24 * 60 * 60;
/** Bytes to which a push is padded, so that its length does not tell the length of a name. */
const paddedLength = 512;
/** Milliseconds that a push service may take. */
const timeLimitMs = 10_000;
/** The longest wait that a push service can ask for (`Retry-After`): after it the push would be too old. */
const maxWaitMs = 6 * 60 * 60_000;

/** Sends a push. Rejects if the push service cannot be reached, or its address is not allowed. */
export type PostPush = (
  request: PushRequest & { isPrivateAllowed: boolean; timeLimit: number; signal: AbortSignal },
) => Promise<{ status: number; retryAfter: string | undefined }>;

/** `sent`, `gone` for good, `refused` for a reason that another attempt does not change, or to be tried again. */
export type PushOutcome = { state: 'sent' | 'gone' | 'refused' } | { state: 'failed'; wait: number };

/** The values of Web Push that operations return to clients. */
export interface PushService {
  /** In base64url: browsers accept pushes only of the server that has the private key. */
  publicKey: string;
  ownHosts: readonly string[];
}

export interface PushSender {
  service: PushService;
  encrypt: EncryptPush;
  /** Throws the reason of `signal` when it is aborted: nobody knows what has arrived then. */
  send(request: PushRequest, signal: AbortSignal): Promise<PushOutcome>;
}

export interface PushSenderOptions {
  db: Database;
  post: PostPush;
  logger: Logger;
  now(): number;
}

/** Opens Web Push. Creates the keys at the first start. */
export async function openPushSender(
  { subject, ownHosts }: { subject: string; ownHosts: readonly string[] },
  { db, post, logger, now }: PushSenderOptions,
): Promise<PushSender> {
  // Servers without pushes do not load it.
  const { default: webPush } = await import('web-push');
  const created = webPush.generateVAPIDKeys();
  const keys = await db.write((tx) => ensureVapidKeys(tx, created, now()));
  return {
    service: { publicKey: keys.publicKey, ownHosts },
    encrypt({ endpoint, p256dh, auth }, content) {
      const { headers, body } = webPush.generateRequestDetails(
        { endpoint, keys: { p256dh, auth } },
        // Spaces after JSON change nothing.
        Buffer.from(JSON.stringify(content)).toString().padEnd(paddedLength),
        {
          vapidDetails: { ...keys, subject },
          TTL: pushLifetimeSeconds,
          urgency: 'high',
          topic: content.tag,
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
    },
    async send(request, signal) {
      const kind = endpointKind(request.url, ownHosts);
      // The settings have changed since.
      if (kind === 'refused') return { state: 'gone' };
      const isPrivateAllowed = kind === 'own';
      const { hostname } = new URL(request.url);
      const answer = await post({ ...request, isPrivateAllowed, timeLimit: timeLimitMs, signal }).catch(
        (error: unknown) => {
          if (signal.aborted) throw signal.reason;
          logger.warn({ host: hostname, reason: (error as Error).message }, 'a push service was not reached');
          return undefined;
        },
      );
      if (!answer) return { state: 'failed', wait: 0 };
      const { status, retryAfter } = answer;
      if (status >= 200 && status < 300) return { state: 'sent' };
      if (status === 404 || status === 410) return { state: 'gone' };
      logger.warn({ host: hostname, status }, 'a push service has refused a push');
      if (status === 429 || status >= 500)
        return { state: 'failed', wait: Math.min(readRetryAfter(retryAfter, now()) ?? 0, maxWaitMs) };
      return { state: 'refused' };
    },
  };
}
