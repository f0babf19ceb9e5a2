// Idempotency-Key: a repeated creating request gets the same response and takes effect once.
// (draft-ietf-httpapi-idempotency-key-header.) The check runs in the same transaction as the request.
import { createHash } from 'node:crypto';
import { limits } from '../../protocol/limits.ts';
import { ApiError } from '../api/errors.ts';
import type { Outcome } from '../api/handler.ts';
import { isRandomEnough } from '../auth/entropy.ts';
import type { WriteTx } from '../storage/database.ts';
import {
  deleteRequest,
  findRequest,
  insertRequests,
  type RequestRow,
  requestLifetimeMs,
} from '../storage/idempotency.ts';

/** The minimum number of characters of the key of an anonymous request: base64url of 128 bits. */
export const anonymousKeyLength = 22;
/**
 * Milliseconds in which an anonymous request can be repeated to get its secret again, which is enough for a retry after
 * a lost response. Afterwards, a key that was guessed or read in a log is useless.
 */
const secretRepeatTimeMs = 60_000;

export interface IdempotentRequest {
  key: string;
  /** The caller. A response of one caller is never returned to another. */
  caller: string;
  /** True when the caller has no user key and the response contains a secret: it can be repeated only for a minute. */
  isAnonymous: boolean;
  operation: string;
  /** The content of the request: path parameters and body. */
  content: unknown;
}

/**
 * Returns the validated key of a request, or undefined when it has none. Throws InvalidPayload for a key of a wrong
 * form.
 */
export function readIdempotencyKey(header: string | undefined, anonymous: boolean): string | undefined {
  if (header === undefined) return undefined;
  const least = anonymous ? anonymousKeyLength : 1;
  if (!/^[\x20-\x7e]*$/.test(header) || header.length < least || header.length > limits.idempotencyKey) {
    throw new ApiError(
      'InvalidPayload',
      `Idempotency-Key must be ${least} to ${limits.idempotencyKey} printable ASCII characters.`,
    );
  }
  if (anonymous && !isRandomEnough(header)) {
    throw new ApiError(
      'InvalidPayload',
      'The Idempotency-Key of a request without a user key must be at least 128 random bits, such as a new ' +
        'crypto.randomUUID(): who knows it gets the same user key.',
    );
  }
  return header;
}

/** The status of a request with the Idempotency-Key of another request. */
export const reusedKeyStatus = 422;

/** Stored instead of a response with one-time fields. */
const unrepeatable = '';
/** Stored instead of a response that is too large. Responses are objects, so this value is unambiguous. */
const tooLarge = '0';
/** The maximum number of characters of a cached response that grows with the input. */
const maxStoredLength = 100_000;

const fingerprintOf = (content: unknown): string =>
  createHash('sha256').update(JSON.stringify(content)).digest('base64url');

/** The response to a request as it is stored. */
export function requestRowOf(
  { key, caller, operation, content }: IdempotentRequest,
  { body, resource, about, oneTimeFields, skipIdempotencyCache = false }: Outcome,
  now: number,
): RequestRow {
  const whole = JSON.stringify(body);
  const isTooLarge = skipIdempotencyCache && whole.length > maxStoredLength;
  const response = oneTimeFields ? unrepeatable : isTooLarge ? tooLarge : whole;
  const fingerprint = fingerprintOf(content);
  return {
    caller,
    operation,
    key,
    fingerprint,
    resource: resource ?? about ?? null,
    response,
    createdAt: now,
  };
}

/** Returns the cached response to this request, or runs the request and caches its response for 24 hours. */
export async function once(
  tx: WriteTx,
  request: IdempotentRequest,
  now: number,
  work: () => Promise<Outcome>,
): Promise<Pick<Outcome, 'body' | 'resource'>> {
  const { key, caller, isAnonymous, operation, content } = request;
  const stored = await findRequest(tx, caller, operation, key);
  const isExpired = stored && stored.createdAt <= now - requestLifetimeMs;
  const earlier = isExpired ? undefined : stored;
  if (earlier) {
    if (earlier.fingerprint !== fingerprintOf(content)) {
      // Section 2.7 of the draft: 422. The type stays, because existing clients know it (decision 60).
      const message = 'This Idempotency-Key was used for another request: send this one with a new key.';
      throw new ApiError('InvalidPayload', message, undefined, {}, reusedKeyStatus);
    }
    if (earlier.response === null) {
      throw new ApiError('ResourceGone', 'The result of this request was deleted.');
    }
    if (earlier.response === unrepeatable) {
      throw new ApiError(
        'AlreadyExists',
        `This was made before, with this Idempotency-Key: ${earlier.resource}. Its secret was shown with the first ` +
          'answer and is kept nowhere; if that was lost, delete it and make another.',
      );
    }
    if (earlier.response === tooLarge) {
      throw new ApiError(
        'AlreadyExists',
        `This was done before, with this Idempotency-Key: ${earlier.resource ?? operation}. The answer was too large ` +
          'to be kept; ask for what is there.',
      );
    }
    if (isAnonymous && now - earlier.createdAt > secretRepeatTimeMs) {
      throw new ApiError(
        'AlreadyExists',
        'This was done before, with this Idempotency-Key. The answer has a secret and is given again for ' +
          `${secretRepeatTimeMs / 1000} seconds only; send the request with a new Idempotency-Key.`,
      );
    }
    const body = JSON.parse(earlier.response) as Record<string, unknown>;
    return { body, ...(earlier.resource === null ? {} : { resource: earlier.resource }) };
  }
  const outcome = await work();
  if (isExpired) await deleteRequest(tx, stored);
  await insertRequests(tx, [requestRowOf(request, outcome, now)]);
  const { body, resource } = outcome;
  return { body, ...(resource === undefined ? {} : { resource }) };
}
