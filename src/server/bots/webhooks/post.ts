// One signed POST to the address of a bot, limited in time and in bytes. It must not follow redirects: addresses.ts checked only
// the first address.
import { createHmac, randomBytes } from 'node:crypto';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { limits } from '../../../protocol/limits.ts';
import type { PostPush } from '../../notifications/push-sender.ts';
import { type Addresses, AddressRefused, createAddresses } from './addresses.ts';

export interface PostRequest {
  url: string;
  headers: Record<string, string>;
  body: string | Buffer;
  addresses: Addresses;
  /** Milliseconds until the last byte of the response. */
  timeLimit: number;
  signal: AbortSignal;
}

export interface PostResult {
  status: number;
  /** The unparsed header `Retry-After`. */
  retryAfter: string | undefined;
  /** The body of a JSON response with a status of 2xx; undefined for any other, which is not read. */
  responseText: string | undefined;
}

/** The reason why a POST failed. */
export class PostFailure extends Error {
  override name = 'PostFailure';
  /** A code: `timeout`, `address_refused`, `address_invalid`, `event_too_large`, `answer_too_large`, or Node's code. */
  readonly reason: string;
  /** The status, if it was received. */
  readonly status: number | undefined;

  constructor(reason: string, status?: number) {
    super(reason);
    this.reason = reason;
    this.status = status;
  }
}

/** Rejects with PostFailure, or with the reason of `signal`. */
export async function post({
  url,
  headers,
  body,
  addresses,
  timeLimit,
  signal,
}: PostRequest): Promise<PostResult> {
  const target = targetOf(url);
  const bytes = Buffer.byteLength(body);
  if (bytes > limits.webhookBytes) throw new PostFailure('event_too_large');
  const controller = new AbortController();
  const stop = () => controller.abort();
  const timer = setTimeout(stop, timeLimit);
  signal.addEventListener('abort', stop, { once: true });
  let status: number | undefined;
  try {
    signal.throwIfAborted();
    addresses.assertHost(target.hostname);
    const response = await send(target, {
      method: 'POST',
      headers: { ...headers, 'content-length': bytes },
      lookup: addresses.lookup,
      // A new connection each time: the receiver may close a kept-alive one while it is in use.
      agent: false as const,
      signal: controller.signal,
      body,
    });
    // An error event without a listener would end the process; a reader of the body receives it as well.
    response.on('error', () => {});
    status = response.statusCode ?? 0;
    const retryAfter = response.headers['retry-after'];
    const isRead =
      status >= 200 && status < 300 && /^application\/json\b/i.test(response.headers['content-type'] ?? '');
    const responseText = isRead ? await readText(response) : undefined;
    response.destroy();
    return { status, retryAfter, responseText };
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw controller.signal.aborted ? new PostFailure('timeout', status) : toPostFailure(error, status);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}

/** The address as a URL. Throws PostFailure unless it is http or https. */
export function targetOf(url: string): URL {
  const target = URL.canParse(url) ? new URL(url) : undefined;
  if (target?.protocol !== 'http:' && target?.protocol !== 'https:') throw new PostFailure('address_invalid');
  return target;
}

type Sending = Parameters<typeof httpRequest>[1] & { body: string | Buffer };

/** Sends a request. Resolves when the headers of the response have arrived. */
export function send(target: URL, { body, ...options }: Sending): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = (target.protocol === 'https:' ? httpsRequest : httpRequest)(target, options, resolve);
    request.on('error', reject);
    // After status 101, or a connection that was closed without a response.
    request.on('close', () => reject(new PostFailure('connection_closed')));
    request.end(body);
  });
}

async function readText(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    // The rest of the body is not read.
    if (size > limits.webhookAnswerBytes) throw new PostFailure('answer_too_large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** The failure of a request as a code that contains nothing of the receiver. */
export function toPostFailure(error: unknown, status: number | undefined): PostFailure {
  if (error instanceof PostFailure) return new PostFailure(error.reason, status);
  if (error instanceof AddressRefused) return new PostFailure('address_refused');
  const { code } = error as { code?: unknown };
  const isNodeCode = typeof code === 'string' && /^[A-Z][A-Z0-9_]{0,49}$/.test(code);
  return new PostFailure(isNodeCode ? code : 'connection_failed', status);
}

/** A new signing secret: `whsec_` and 32 random bytes in base64 (Standard Webhooks requires 24 to 64). */
export const createSigningSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/**
 * The value of `webhook-signature`: HMAC-SHA256 of `id.timestamp.body`. `timestamp`: seconds since 1970. The format is that of
 * Standard Webhooks, so that receivers can use its libraries. Why not `standardwebhooks`: signing is one HMAC (decision 27).
 */
export function signWebhook(secret: string, id: string, timestamp: number, body: string): string {
  return `v1,${createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
}

/** The part after `whsec_` is base64; a secret without this prefix is used as it is. */
function keyOf(secret: string): Buffer {
  return secret.startsWith('whsec_')
    ? Buffer.from(secret.slice('whsec_'.length), 'base64')
    : Buffer.from(secret);
}

/** Sends a push by the rules of webhooks: one address that is checked, no redirects. */
export const postPush: PostPush = ({ isPrivateAllowed, ...request }) =>
  post({ ...request, addresses: createAddresses(isPrivateAllowed) });
