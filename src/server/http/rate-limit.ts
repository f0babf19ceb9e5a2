// Limits the requests of each address and each user key. The limit of an address applies before the body is read and
// before chat and caller are looked up. Static files of the widget and pages have no limit.
import type { Context, MiddlewareHandler } from 'hono';
import { ApiError, errorResponse } from '../api/errors.ts';
import { chatEndpointOf, isChatEndpointMissing } from '../auth/chat-endpoint.ts';
import type { NetworkReader } from '../limits/client-address.ts';
import type { SharedUsage } from '../limits/shared-limit.ts';
import {
  createBuckets,
  createNetworkBuckets,
  type Level,
  type NetworkBuckets,
} from '../limits/token-buckets.ts';

/** The limit of an address as a multiple of that of a user key, because a whole office can share an address. */
export const usersPerAddress = 5;
/**
 * The limit of an address for requests of page views as a multiple of that of a user key, because one page can show a
 * hundred files.
 */
export const viewsPerAddress = 50;
/**
 * The cost of a request with a wrong key or token, or for a chat that does not exist, because such requests can be
 * attempts to guess.
 */
export const refusalCost = 20;
/** Bytes that a query reads from the database for each request that it counts as, and as how many it counts at most. */
export const costBytes = 100_000;
const maxCost = 20;

export interface RateLimitOptions {
  /** Requests per minute of one user key; 0 disables all limits. */
  perMinute: number;
  addressOf: NetworkReader;
  /** Called when a request of an address is rejected. */
  onAddressRefused(): void;
  /** A monotonic clock in milliseconds. */
  now?: () => number;
  /** The usage of other processes, which counts, too. */
  sharedUsage?: SharedUsage | undefined;
}

export interface RateLimit {
  /** Limits by address. Runs before everything else of an API except its CORS headers. */
  byAddress: MiddlewareHandler;
  /** Limits by user key. Runs after the chat endpoint was found, whose secret is needed to verify a key. */
  byUser: MiddlewareHandler;
  /**
   * Reserves what a query can cost, before it reads; the result takes the bytes that it has read, and returns the rest. A heavy
   * query reserves the highest cost, so that many at once are rejected before they read anything. Throws RateLimited.
   */
  ofQuery(c: Context, isHeavy: boolean): (bytes: number) => void;
  /** Limits requests of page views by address, with separate buckets. Pages of any origin can read the error. */
  ofViews: MiddlewareHandler;
}

/** Lets a page read when it can try again (Fetch Standard, "CORS protocol"). */
const readable = { 'access-control-allow-origin': '*', 'access-control-expose-headers': 'retry-after' };

/**
 * Creates the limits. All APIs share the buckets, so that a caller who guesses tokens at one is limited at all.
 * Rejected requests cost nothing, so a caller that keeps sending requests recovers as fast as one that waits.
 */
export function createRateLimit(options: RateLimitOptions): RateLimit {
  const { perMinute, addressOf, onAddressRefused, now = () => performance.now() } = options;
  if (perMinute === 0) {
    const pass: MiddlewareHandler = (_, next) => next();
    return { byAddress: pass, byUser: pass, ofViews: pass, ofQuery: () => () => {} };
  }
  const sharedAs = (name: string) => options.sharedUsage && { usage: options.sharedUsage, name };
  const users = createBuckets(perMinute, now, undefined, sharedAs('user'));
  const addresses = createNetworkBuckets(perMinute * usersPerAddress, now, sharedAs('address'));
  const views = createNetworkBuckets(perMinute * viewsPerAddress, now, sharedAs('views'));
  const usersOf = new WeakMap<Request, { user: string; level: Level }>();
  /** The levels of an address after a query that did not cost one request. */
  const addressLevels = new WeakMap<Request, Level>();
  // Of a low limit, some heavy queries at once are possible.
  const most = Math.max(1, Math.min(maxCost, Math.floor(perMinute / 10)));

  const take = async (c: Context, buckets: NetworkBuckets): Promise<Level> => {
    const address = addressOf(c);
    const settled = buckets.settled(address);
    if (settled !== undefined) await settled;
    const level = buckets.take(address);
    if (!level.isAllowed) onAddressRefused();
    return level;
  };
  const isGuess = (c: Context): boolean => c.res.status === 401 || isChatEndpointMissing(c);

  return {
    async byAddress(c, next) {
      const taken = await take(c, addresses);
      if (!taken.isAllowed) return refusal(ofAddress, taken);
      await next();
      const level = isGuess(c)
        ? addresses.charge(addressOf(c), refusalCost - 1)
        : (addressLevels.get(c.req.raw) ?? taken);
      const ofUser = usersOf.get(c.req.raw)?.level;
      const isUserNearer = ofUser && (!ofUser.isAllowed || ofUser.remaining < level.remaining);
      for (const [name, value] of Object.entries(rateHeaders(isUserNearer ? ofUser : level)))
        c.res.headers.set(name, value);
      return undefined;
    },

    async byUser(c, next) {
      const user = userOf(c);
      if (user === undefined) return next();
      const settled = users.settled(user);
      if (settled !== undefined) await settled;
      const taken = users.take(user);
      usersOf.set(c.req.raw, { user, level: taken });
      if (!taken.isAllowed) return refusal(ofUserKey, taken);
      await next();
      // A revoked key may be known to others, so it takes nothing from its user. The address pays as for a wrong key.
      if (c.res.status === 401) users.refund(user);
      return undefined;
    },

    ofQuery(c, isHeavy) {
      const request = c.req.raw;
      const address = addressOf(c);
      const user = usersOf.get(request)?.user;
      const note = (level: Level, userLevel: Level | undefined) => {
        addressLevels.set(request, level);
        if (user !== undefined && userLevel) usersOf.set(request, { user, level: userLevel });
      };
      let held = 1;
      if (isHeavy && most > 1) {
        const level = addresses.take(address, most - 1);
        const userLevel = level.isAllowed && user !== undefined ? users.take(user, most - 1) : undefined;
        if (!level.isAllowed) onAddressRefused();
        if (!level.isAllowed || userLevel?.isAllowed === false) {
          // A rejected request costs nothing.
          addresses.refund(address, level.isAllowed ? most : 1);
          if (user !== undefined) users.refund(user);
          throw userLevel ? refused(ofUserKey, userLevel) : refused(ofAddress, level);
        }
        held = most;
      }
      return (bytes) => {
        const cost = Math.min(most, Math.max(1, Math.ceil(bytes / costBytes)));
        if (cost === held && cost === 1) return;
        if (cost < held) {
          addresses.refund(address, held - cost);
          if (user !== undefined) users.refund(user, held - cost);
        }
        const more = Math.max(0, cost - held);
        note(addresses.charge(address, more), user === undefined ? undefined : users.charge(user, more));
      };
    },

    async ofViews(c, next) {
      const taken = await take(c, views);
      if (!taken.isAllowed) return refusal(ofAddress, taken, readable);
      await next();
      if (isGuess(c)) views.charge(addressOf(c), refusalCost - 1);
      return undefined;
    },
  };
}

/**
 * Returns the user that a request counts for: all keys of one id count together, so that a renewed key does not add
 * requests.
 */
function userOf(c: Context): string | undefined {
  const key = c.req.header('x-user-key');
  const chat = chatEndpointOf(c);
  const id = key === undefined ? undefined : chat?.keys.verify(key);
  return id === undefined ? undefined : `${chat?.bot.id} ${id}`;
}

const ofAddress = 'Too many requests come from this address.';
const ofUserKey = 'Too many requests come with this user key.';

/** Returns the error with status 429 (RFC 6585, 4) and the time to wait, which the message contains as well. */
function refused(message: string, level: Level, more: Record<string, string> = {}): ApiError {
  const { retryAfter } = level;
  const headers = { ...rateHeaders(level), 'retry-after': String(retryAfter), ...more };
  return new ApiError('RateLimited', `${message} Try again in ${retryAfter} s.`, { retryAfter }, headers);
}

const refusal = (...refusalArguments: Parameters<typeof refused>): Response =>
  errorResponse(refused(...refusalArguments));

/**
 * The fields of draft-ietf-httpapi-ratelimit-headers, in the form that existing clients support (up to its version 06).
 */
function rateHeaders({ limit, remaining, reset }: Level): Record<string, string> {
  return {
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': String(remaining),
    'ratelimit-reset': String(reset),
  };
}
