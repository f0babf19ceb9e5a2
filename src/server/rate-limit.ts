// How often one user key and one address may ask. It decides before a body is read and before a caller is looked up,
// and counts only what an API does: files, pages and preflights go past it.
import type { Context, MiddlewareHandler } from 'hono';
import { createBuckets, type Level } from './buckets.ts';
import { chatOf } from './chat.ts';
import type { AddressReader } from './client-address.ts';
import { ApiError, errorResponse } from './errors.ts';

/** An address may ask so many times as often as a user key: a whole office may stand behind it. */
export const usersPerAddress = 5;
/** What a request with a wrong key or token counts as: that is how guessing looks. */
export const refusalCost = 20;

export interface RateLimitOptions {
  /** Requests a minute of one user key; 0 for no limit at all. */
  perMinute: number;
  addressOf: AddressReader;
  /** Called when an address is refused. */
  onAddressRefused(): void;
  /** Milliseconds of a clock that never goes back. */
  now?: () => number;
}

/**
 * The same buckets for both APIs, so that who guesses tokens at the one is not welcome at the other. A user key counts
 * once its signature is right, whoever it is of: that needs the secret of the chat and no more. What is refused costs nothing, so who goes on
 * asking gets in as soon as who waits.
 */
export function createRateLimit(options: RateLimitOptions): MiddlewareHandler {
  const { perMinute, addressOf, onAddressRefused, now = () => performance.now() } = options;
  if (perMinute === 0) return async (_, next) => next();
  const users = createBuckets(perMinute, now);
  const addresses = createBuckets(perMinute * usersPerAddress, now);

  return async (c, next) => {
    const address = addressOf(c);
    const byAddress = addresses.take(address);
    if (!byAddress.isAllowed) {
      onAddressRefused();
      return refusal('Too many requests come from this address.', byAddress);
    }
    const user = userOf(c);
    const byUser = user === undefined ? undefined : users.take(user);
    if (byUser && !byUser.isAllowed) return refusal('Too many requests come with this user key.', byUser);
    await next();
    // A revoked key, which others may have, takes nothing from its user. The address pays for it as for a wrong one.
    if (user !== undefined && c.res.status === 401) users.refund(user);
    const left = c.res.status === 401 ? addresses.charge(address, refusalCost - 1) : byAddress;
    const nearest = byUser && byUser.remaining < left.remaining ? byUser : left;
    for (const [name, value] of Object.entries(rateHeaders(nearest))) c.res.headers.set(name, value);
    return undefined;
  };
}

/** Whom a request counts for: all keys of one id together, so that a renewed key brings no requests. */
function userOf(c: Context): string | undefined {
  const key = c.req.header('x-user-key');
  const chat = chatOf(c);
  const id = key === undefined ? undefined : chat?.keys.verify(key);
  return id === undefined ? undefined : `${chat?.bot.id} ${id}`;
}

/** 429 (RFC 6585, 4) with the time to wait, of which the message tells too. */
function refusal(message: string, level: Level): Response {
  const { retryAfter } = level;
  const headers = { ...rateHeaders(level), 'retry-after': String(retryAfter) };
  const words = `${message} Try again in ${retryAfter} s.`;
  return errorResponse(new ApiError('RateLimited', words, { retryAfter }, headers));
}

/** The fields of draft-ietf-httpapi-ratelimit-headers, in the form that clients know (up to its version 06). */
function rateHeaders({ limit, remaining, reset }: Level): Record<string, string> {
  return {
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': String(remaining),
    'ratelimit-reset': String(reset),
  };
}
