// How often one address and one user key may ask. The address counts before a body is read, a chat is looked up or a
// caller is known; static files of the widget and pages go past it.
import type { Context, MiddlewareHandler } from 'hono';
import { ApiError, errorResponse } from '../api/errors.ts';
import { chatEndpointOf, isChatEndpointMissing } from '../auth/chat-endpoint.ts';
import type { NetworkReader } from '../limits/client-address.ts';
import { createNetworkBuckets, type NetworkBuckets } from '../limits/network-buckets.ts';
import { createBuckets, type Level } from '../limits/token-buckets.ts';

/** An address may ask so many times as often as a user key: a whole office may stand behind it. */
export const usersPerAddress = 5;
/** And so many times as often for what a page view needs: one page may show a hundred files. */
export const viewsPerAddress = 50;
/** What a request with a wrong key or token, or for a chat that does not exist, counts as: that is how guessing looks. */
export const refusalCost = 20;

export interface RateLimitOptions {
  /** Requests a minute of one user key; 0 for no limit at all. */
  perMinute: number;
  addressOf: NetworkReader;
  /** Called when an address is refused. */
  onAddressRefused(): void;
  /** Milliseconds of a clock that never goes back. */
  now?: () => number;
}

export interface RateLimit {
  /** Before all that an API does, and after its CORS: by the address. */
  byAddress: MiddlewareHandler;
  /** After the chat was found: by the user key, which only the secret of the chat tells from any other text. */
  byUser: MiddlewareHandler;
  /** Before what page views need: by the address, in buckets of their own. Any page may read the refusal. */
  ofViews: MiddlewareHandler;
}

/** So that a page sees when to try again (Fetch Standard, "CORS protocol"). */
const readable = { 'access-control-allow-origin': '*', 'access-control-expose-headers': 'retry-after' };

/**
 * The same buckets for all APIs, so that who guesses tokens at the one is not welcome at the other. What is refused
 * costs nothing, so who goes on asking gets in as soon as who waits.
 */
export function createRateLimit(options: RateLimitOptions): RateLimit {
  const { perMinute, addressOf, onAddressRefused, now = () => performance.now() } = options;
  if (perMinute === 0) {
    const pass: MiddlewareHandler = (_, next) => next();
    return { byAddress: pass, byUser: pass, ofViews: pass };
  }
  const users = createBuckets(perMinute, now);
  const addresses = createNetworkBuckets(perMinute * usersPerAddress, now);
  const views = createNetworkBuckets(perMinute * viewsPerAddress, now);
  const userLevels = new WeakMap<Request, Level>();

  const take = (c: Context, buckets: NetworkBuckets): Level => {
    const level = buckets.take(addressOf(c));
    if (!level.isAllowed) onAddressRefused();
    return level;
  };
  const isGuess = (c: Context): boolean => c.res.status === 401 || isChatEndpointMissing(c);

  return {
    async byAddress(c, next) {
      const taken = take(c, addresses);
      if (!taken.isAllowed) return refusal('Too many requests come from this address.', taken);
      await next();
      const left = isGuess(c) ? addresses.charge(addressOf(c), refusalCost - 1) : taken;
      const ofUser = userLevels.get(c.req.raw);
      const isUserNearer = ofUser && (!ofUser.isAllowed || ofUser.remaining < left.remaining);
      for (const [name, value] of Object.entries(rateHeaders(isUserNearer ? ofUser : left)))
        c.res.headers.set(name, value);
      return undefined;
    },

    async byUser(c, next) {
      const user = userOf(c);
      if (user === undefined) return next();
      const taken = users.take(user);
      userLevels.set(c.req.raw, taken);
      if (!taken.isAllowed) return refusal('Too many requests come with this user key.', taken);
      await next();
      // A revoked key, which others may have, takes nothing from its user. The address pays for it as for a wrong one.
      if (c.res.status === 401) users.refund(user);
      return undefined;
    },

    async ofViews(c, next) {
      const taken = take(c, views);
      if (!taken.isAllowed) return refusal('Too many requests come from this address.', taken, readable);
      await next();
      if (isGuess(c)) views.charge(addressOf(c), refusalCost - 1);
      return undefined;
    },
  };
}

/** Whom a request counts for: all keys of one id together, so that a renewed key brings no requests. */
function userOf(c: Context): string | undefined {
  const key = c.req.header('x-user-key');
  const chat = chatEndpointOf(c);
  const id = key === undefined ? undefined : chat?.keys.verify(key);
  return id === undefined ? undefined : `${chat?.bot.id} ${id}`;
}

/** 429 (RFC 6585, 4) with the time to wait, of which the message tells too. */
function refusal(message: string, level: Level, more: Record<string, string> = {}): Response {
  const { retryAfter } = level;
  const headers = { ...rateHeaders(level), 'retry-after': String(retryAfter), ...more };
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
