// One POST to a bot's address: bounded in time and in bytes, both ways. It follows no redirect and tries nothing twice.
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { limits } from '../../../protocol/limits.ts';
import { type Addresses, AddressRefused } from './addresses.ts';

export interface Post {
  url: string;
  headers: Record<string, string>;
  body: string;
  addresses: Addresses;
  /** Milliseconds for all of it, until the last byte of the answer. */
  timeLimit: number;
  signal: AbortSignal;
}

export interface Posted {
  status: number;
  /** The header `Retry-After` as it came. */
  retryAfter: string | undefined;
  /** The text of an answer in JSON with a good status; undefined for all others, which are not read. */
  answer: string | undefined;
}

/** What kept a POST from its end. */
export class PostFailure extends Error {
  override name = 'PostFailure';
  /** A word: `timeout`, `address_refused`, `address_invalid`, `event_too_large`, `answer_too_large`, or Node's code. */
  readonly reason: string;
  /** The status, where it had come. */
  readonly status: number | undefined;

  constructor(reason: string, status?: number) {
    super(reason);
    this.reason = reason;
    this.status = status;
  }
}

/** Rejects with PostFailure, or with the reason of `signal`. */
export async function post({ url, headers, body, addresses, timeLimit, signal }: Post): Promise<Posted> {
  const target = URL.canParse(url) ? new URL(url) : undefined;
  if (target?.protocol !== 'http:' && target?.protocol !== 'https:') throw new PostFailure('address_invalid');
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
      // A connection of its own: one kept open may be closed by the other side while it is used.
      agent: false as const,
      signal: controller.signal,
      body,
    });
    // Heard here, because nobody may be reading when it comes; a reader hears it, too.
    response.on('error', () => {});
    status = response.statusCode ?? 0;
    const retryAfter = response.headers['retry-after'];
    const isRead =
      status >= 200 && status < 300 && /^application\/json\b/i.test(response.headers['content-type'] ?? '');
    const answer = isRead ? await textOf(response) : undefined;
    response.destroy();
    return { status, retryAfter, answer };
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw controller.signal.aborted ? new PostFailure('timeout', status) : failure(error, status);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}

type Sending = Parameters<typeof httpRequest>[1] & { body: string };

/** Resolves with the head of the answer. */
function send(target: URL, { body, ...options }: Sending): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = (target.protocol === 'https:' ? httpsRequest : httpRequest)(target, options, resolve);
    request.on('error', reject);
    // After 101, or a connection that ends without a word.
    request.on('close', () => reject(new PostFailure('connection_closed')));
    request.end(body);
  });
}

async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    // The rest is not read.
    if (size > limits.webhookAnswerBytes) throw new PostFailure('answer_too_large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function failure(error: unknown, status: number | undefined): PostFailure {
  if (error instanceof PostFailure) return new PostFailure(error.reason, status);
  if (error instanceof AddressRefused) return new PostFailure('address_refused');
  const { code } = error as { code?: unknown };
  const isWord = typeof code === 'string' && /^[A-Z][A-Z0-9_]{0,49}$/.test(code);
  return new PostFailure(isWord ? code : 'connection_failed', status);
}
