// Sends signed requests to an object store: retries temporary failures, limits the time, and logs when the store begins
// to fail and when it responds again.
import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import type { Logger } from 'pino';
import { ApiError } from '../../api/errors.ts';
import { type ByteStream, streamOf } from './byte-stream.ts';

export interface S3Options {
  /** The bucket's address, and the prefix of all names in it: `https://host/bucket/prefix`. */
  url: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

/** The bytes of a request, which can be sent several times. */
export interface Content {
  size: number;
  /** Hexadecimal. */
  sha256: string;
  open(): ByteStream | string;
}

/** Milliseconds, for tests. */
export interface Timing {
  /** Before a request is repeated for the first time. */
  delayMs?: number;
  /** Without a byte of a request or its response. */
  silenceMs?: number;
}

export interface S3Request {
  /** The operation of S3, for errors and the log. */
  operation: string;
  method: string;
  url: URL;
  headers?: Record<string, string>;
  content?: Content;
  /** Milliseconds until the response, if more than usual. */
  responseMs?: number;
}

export interface Requests {
  /**
   * Returns a successful response, whose body the caller reads or cancels. Throws S3Error. `read` reads the response.
   * If its result requires a retry, it reads the response of the next attempt, too.
   */
  send<T>(request: S3Request, read: (response: Response) => Promise<T> | T): Promise<T>;
  /** Ends all running requests. */
  close(): void;
}

const attempts = 3;
/** Attempts if the store does not respond in time: each one makes a visitor wait for the whole timeout. */
const silentAttempts = 2;
/** Bytes of an error response that are read. */
const maxErrorText = 65_536;
const silent = 'Timeout';
const nothing = contentOf('');

/** A text as the content of a request. */
export function contentOf(text: string): Content {
  const sha256 = createHash('sha256').update(text).digest('hex');
  return { size: Buffer.byteLength(text), sha256, open: () => text };
}

export function createRequests(
  { region, accessKeyId, secretAccessKey }: Omit<S3Options, 'url'>,
  logger: Logger,
  { delayMs = 100, silenceMs = 20_000 }: Timing = {},
): Requests {
  const running = new Set<AbortController>();
  let isClosed = false;
  /** The signing keys of the day. */
  const cache = new Map<string, ArrayBuffer>();
  let isFailing = false;

  async function sendOnce(request: S3Request): Promise<Response> {
    const { operation, method, url, content = nothing } = request;
    const limitMs = Math.max(silenceMs, request.responseMs ?? 0);
    // Not AbortSignal.timeout, because the timeout restarts with each piece of the body.
    const controller = new AbortController();
    let timer = setTimeout(() => controller.abort(), limitMs);
    const onBytes = () => {
      clearTimeout(timer);
      timer = setTimeout(() => controller.abort(), limitMs);
    };
    running.add(controller);
    try {
      if (isClosed) throw new S3Error(operation, 0, 'closed');
      const signed = await new AwsV4Signer({
        method,
        url: url.href,
        headers: {
          ...request.headers,
          'x-amz-content-sha256': content.sha256,
          // Without a length the body would be chunked, which object stores refuse.
          ...(request.content ? { 'content-length': String(content.size) } : {}),
        },
        service: 's3',
        region,
        accessKeyId,
        secretAccessKey,
        cache,
      }).sign();
      const body = request.content ? bodyOf(content.open(), onBytes) : null;
      const response = await fetch(signed.url, {
        method,
        headers: signed.headers,
        body,
        redirect: 'manual',
        signal: controller.signal,
        ...(body === null || typeof body === 'string' ? {} : { duplex: 'half' as const }),
      } as RequestInit);
      if (response.ok) return response;
      const text = await readSome(response);
      throw new S3Error(operation, response.status, codeOf(text) ?? 'NoCode');
    } catch (error) {
      throw error instanceof S3Error ? error : new S3Error(operation, 0, reasonOf(error));
    } finally {
      clearTimeout(timer);
      running.delete(controller);
    }
  }

  /** Logs the first of several failures, and the first success after them. */
  function report(error?: S3Error): void {
    if (isFailing === (error !== undefined)) return;
    isFailing = error !== undefined;
    if (error) {
      logger.error({ err: error }, 'S3 requests fail: files cannot be read or written');
    } else logger.info('S3 responds again');
  }

  return {
    async send(request, read) {
      for (let attempt = 1; ; attempt += 1) {
        try {
          const response = await sendOnce(request);
          const result = await Promise.resolve(read(response)).catch((error: unknown) => {
            throw error instanceof S3Error ? error : new S3Error(request.operation, 0, reasonOf(error));
          });
          report();
          return result;
        } catch (error) {
          if (!(error instanceof S3Error)) throw error;
          // The caller decides what a missing object means.
          if (error.status === 404 && error.reason !== 'NoSuchBucket') {
            report();
            throw error;
          }
          const most = error.reason === silent ? silentAttempts : attempts;
          if (!error.mayPass || attempt >= most || isClosed) {
            report(error);
            throw error;
          }
          await pause(2 ** attempt * delayMs * Math.random());
        }
      }
    },
    close() {
      isClosed = true;
      for (const controller of running) controller.abort();
    },
  };
}

function bodyOf(source: ByteStream | string, onBytes: () => void): BodyInit {
  if (typeof source === 'string') return source;
  const reader = source.getReader();
  return streamOf(
    async () => {
      const { value } = await reader.read();
      onBytes();
      return value;
    },
    (reason) => reader.cancel(reason),
  );
}

async function readSome(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const chunk = await reader?.read();
    if (!chunk || chunk.done) return text;
    text += decoder.decode(chunk.value, { stream: true });
    if (text.length > maxErrorText) {
      await reader?.cancel();
      return text;
    }
  }
}

/** The code in the body of an error. It is logged, because it contains no data. */
export function codeOf(text: string): string | undefined {
  const code = textOf(text, 'Code');
  return code && /^[\w.-]{1,100}$/.test(code) ? code : undefined;
}

/** The code of a failed connection. Messages contain addresses. */
function reasonOf(error: unknown): string {
  const { cause, name } = error as { cause?: { code?: unknown }; name?: string };
  const code = cause?.code ?? (error as { code?: unknown }).code;
  if (typeof code === 'string' && /^\w{1,100}$/.test(code)) return code;
  return name === 'AbortError' ? silent : 'NoConnection';
}

/** The text of the first element with this name; undefined without one. */
export function textOf(xml: string, name: string): string | undefined {
  const found = new RegExp(`<${name}(?:\\s[^>]*)?>([^<]*)</${name}>`).exec(xml)?.[1];
  return found === undefined ? undefined : decode(found);
}

/** The contents of all elements with this name, which may contain others. */
export function elementsOf(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(`<${name}(?:\\s[^>]*)?>([\\s\\S]*?)</${name}>`, 'g'))].map(
    ([, content = '']) => content,
  );
}

/** The body of CompleteMultipartUpload. */
export function completionOf(
  parts: readonly (readonly [number: number, etag: string, size: number])[],
): string {
  const rows = parts.map(
    ([number, etag]) => `<Part><PartNumber>${number}</PartNumber><ETag>${encode(etag)}</ETag></Part>`,
  );
  return `<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${rows.join('')}</CompleteMultipartUpload>`;
}

const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };

function decode(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w+));/gi, (whole, hex, decimal, name) => {
    const code = hex ? Number.parseInt(hex, 16) : decimal ? Number(decimal) : undefined;
    if (code !== undefined) return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    return entities[name] ?? whole;
  });
}

const encode = (text: string): string =>
  text.replace(/[&<>]/g, (character) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[character] ?? character);

/** Seconds until clients should try again. */
const retryAfterSeconds = 5;

/**
 * The object store refused a request or did not answer it: 503 for clients, with the reason in the log only. No field contains
 * the address of the store or a key.
 */
export class S3Error extends ApiError {
  /** The operation of S3, such as `PutObject`. */
  readonly operation: string;
  /** The status of the response; 0 without one. */
  readonly status: number;
  /** The code in the response, such as `NoSuchKey`, or of the connection, such as `ECONNREFUSED`. */
  readonly reason: string;

  constructor(operation: string, status: number, reason: string) {
    super(
      'ServiceUnavailable',
      'The store of files does not answer. Try again later.',
      { retryAfter: retryAfterSeconds },
      { 'retry-after': String(retryAfterSeconds) },
    );
    this.operation = operation;
    this.status = status;
    this.reason = reason;
  }

  override get logMessage(): string {
    return `${this.operation}: ${this.status || 'no response'} ${this.reason}`;
  }

  /** True if the same request may succeed later. */
  get mayPass(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500 || this.reason === 'RequestTimeout';
  }
}
