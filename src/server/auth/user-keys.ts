// User keys: signs and verifies HS256 JSON Web Tokens (RFC 7519) that identify a visitor, and checks the limits of a key.
// Why not the signer of `fast-jwt`: it rounds `iat` down to seconds (decision 14).
import { createHash, createHmac } from 'node:crypto';
import { createVerifier } from 'fast-jwt';
import type { Logger } from 'pino';
import { foreignUserIdPattern, foreignUserIdRule, type User } from '../../protocol/user.ts';
import type { KeyClaims } from '../api/caller.ts';
import { ApiError } from '../api/errors.ts';
import type { ChatEndpoint, UserKeys } from '../api/handler.ts';
import { anyOwnKeys, type BotRow } from '../storage/bots/bots.ts';
import type { Database } from '../storage/database.ts';

/** `iss` of the keys that this server issues. */
const issuer = 'platform-webchat';

/**
 * The number of verified keys in each cache, about 1 KB each. The server has one cache, and each cached bot has one.
 */
const cachedKeys = 10_000;
const cachedKeysOfBot = 1_000;
/** The number of bots with their own secret that have a cache at the same time. */
const cachedBots = 20;

/** Signs with one secret, and also accepts keys that a previous one signed. `now` returns milliseconds since 1970. */
export function createUserKeys(
  secret: string,
  now: () => number = Date.now,
  previous: readonly string[] = [],
  cacheSize = cachedKeys,
): UserKeys {
  const verifiers = [secret, ...previous].map((key) =>
    // The cache skips the signature, never the time: `exp` and `nbf` are compared with the clock at each request.
    createVerifier({
      key,
      algorithms: ['HS256'],
      complete: true,
      ignoreExpiration: true,
      ignoreNotBefore: true,
      cache: cacheSize,
    }),
  );
  const inspect = (key: string): KeyClaims | undefined => {
    const token = verify(key, verifiers);
    return token && readClaims(token, now());
  };
  return {
    // Not by fast-jwt: its signer rounds `iat` down to seconds, and revocation compares milliseconds.
    sign(id, claims = {}) {
      const text = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode({ id, ...claims })}`;
      return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
    },
    inspect,
    explain(key) {
      const token = verify(key, verifiers);
      // A header with `crit` makes the key mean something that this server does not know.
      if (!token || token.header.crit !== undefined) return undefined;
      const { payload } = token;
      return problemOfClaims(payload) ?? problemOfTimes(payload, now()) ?? problemOfId(String(payload.id));
    },
    verify(key) {
      const claims = inspect(key);
      return claims?.isCurrent ? claims.id : undefined;
    },
  };
}

/** The fields of a bot that determine the secret of its user keys. */
type KeyHolder = Pick<BotRow, 'id' | 'ownKeys'>;

/** The user keys of each bot. A bot with a secret of its own uses one that is derived from the server's. */
export interface KeyRing {
  keysOf(bot: KeyHolder): UserKeys;
  /** The secret with which an application signs keys; undefined if it is the server's, which its operator has. */
  secretOf(bot: KeyHolder): string | undefined;
}

/**
 * Derives secrets by HMAC, so that one secret reveals nothing about another, an earlier one, or the server's. `previous`:
 * earlier secrets of the server; keys that they, or secrets derived from them, signed are still accepted.
 */
export function createKeyRing(
  secret: string,
  now: () => number = Date.now,
  previous: readonly string[] = [],
): KeyRing {
  const shared = createUserKeys(secret, now, previous);
  const byName = new Map<string, UserKeys>();
  const derive = (from: string, name: string): string =>
    createHmac('sha256', from).update(name).digest('base64url');
  return {
    secretOf: (bot) => (bot.ownKeys === 0 ? undefined : derive(secret, nameOf(bot))),
    keysOf(bot) {
      if (bot.ownKeys === 0) return shared;
      const name = nameOf(bot);
      const keys =
        byName.get(name) ??
        createUserKeys(
          derive(secret, name),
          now,
          previous.map((from) => derive(from, name)),
          cachedKeysOfBot,
        );
      // Moves the name to the end: the first one in the map is the least recently used.
      byName.delete(name);
      byName.set(name, keys);
      const [oldest] = byName.keys();
      if (byName.size > cachedBots && oldest !== undefined) byName.delete(oldest);
      return keys;
    },
  };
}

/**
 * The name from which a secret is derived. The first generation has no number, for compatibility. No id contains a
 * space.
 */
const nameOf = ({ id, ownKeys }: KeyHolder): string =>
  `user keys of ${id}${ownKeys === 1 ? '' : ` ${ownKeys}`}`;

/**
 * The claims of a key that this server issues. `keyId` names the key, `issuedAt` is in milliseconds since 1970,
 * `lifetime` in seconds, 0 for a key that does not expire. Milliseconds are kept as a fraction (RFC 7519, section 2:
 * NumericDate), so that revocation can distinguish keys of the same second.
 */
export function issuedClaims(keyId: string, issuedAt: number, lifetime: number): object {
  const iat = issuedAt / 1000;
  return { iss: issuer, jti: keyId, iat, ...(lifetime > 0 ? { exp: Math.ceil(iat + lifetime) } : {}) };
}

/**
 * Returns what a key says of itself, to look its user up before its signature can be verified; undefined for a text that
 * is not a key. Nothing may be granted by it.
 */
export function readUnverified(key: string): Pick<KeyClaims, 'id' | 'isIssued' | 'hash'> | undefined {
  const [header = '', payload = '', signature, more] = key.split('.');
  if (signature === undefined || more !== undefined) return undefined;
  try {
    const token = { header: decode(header), payload: decode(payload), input: `${header}.${payload}` };
    return readClaims(token, 0);
  } catch {
    return undefined;
  }
}

/** A token with a valid signature. `input`: the part that the signature covers. */
interface Token {
  header: Record<string, unknown>;
  payload: Record<string, unknown>;
  input: string;
}

/** Returns the token if one of the secrets signed it, otherwise undefined. */
function verify(key: string, verifiers: readonly ((key: string) => Token)[]): Token | undefined {
  for (const verifier of verifiers) {
    try {
      return verifier(key);
    } catch {
      // Malformed, another algorithm, or signed with another secret.
    }
  }
  return undefined;
}

/** `now`: milliseconds since 1970. */
function readClaims({ header, payload, input }: Token, now: number): KeyClaims | undefined {
  // RFC 7515 4.1.11: an unknown `crit` must be rejected, and none is known here. The library accepts `null`.
  if (header.crit !== undefined) return undefined;
  // Also an id with a NUL, at which SQLite's binding ends a text: `victim\0x` must not pass as `victim`.
  if (problemOfClaims(payload) !== undefined) return undefined;
  const { id, iss, iat, exp, jti, conversation } = payload as Record<string, unknown> & { id: string };
  return {
    id,
    isIssued: iss === issuer,
    conversationIds: isLimit(conversation) ? conversation : undefined,
    isBare: Object.keys(payload).length === 1,
    issuedAt: milliseconds(iat),
    expiresAt: milliseconds(exp),
    isCurrent: problemOfTimes(payload, now) === undefined,
    // Not the whole key: the unused bits of a base64url signature can be changed, and the changed key must be revoked,
    // too. `jti` need not be unique beyond one id.
    hash: sha256(typeof jti === 'string' ? JSON.stringify([id, jti]) : input),
  };
}

/** A NumericDate (RFC 7519, section 2) in whole milliseconds; undefined for other values and unsafe integers. */
function milliseconds(date: unknown): number | undefined {
  const value = typeof date === 'number' ? Math.round(date * 1000) : Number.NaN;
  return Number.isSafeInteger(value) ? value : undefined;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url');

function decode(part: string): Record<string, unknown> {
  const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString());
  if (typeof value !== 'object' || value === null) throw new TypeError('A part of a key must be an object.');
  return value as Record<string, unknown>;
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

type Claims = Readonly<Record<string, unknown>>;

/**
 * No application signs a key for the year 5138: a larger NumericDate (RFC 7519, section 2) is in milliseconds. As seconds, the
 * `exp` of such a key would never come.
 */
const latestSeconds = 100_000_000_000;

/**
 * Returns why the claims of a key name no user, or limit it to nothing; undefined for a key that does. The reason is for the
 * developer who has signed the key.
 */
export function problemOfClaims({ id, sub, conversation }: Claims): string | undefined {
  if (id === undefined || id === null) {
    return sub === undefined ? 'Its payload has no `id`.' : 'Its payload has `sub` in place of `id`.';
  }
  if (typeof id !== 'string') {
    return `\`id\` must be a text, not ${typeof id === 'object' ? 'an object' : `a ${typeof id}`}.`;
  }
  if (id === '' || id.includes('\0')) return problemOfId(id);
  if (conversation !== undefined && !isLimit(conversation)) {
    return '`conversation` must be a list of ids of one conversation, or be left out.';
  }
  return undefined;
}

/** Returns why no user can have an id; undefined for a usual one. A key with such an id is valid, but cannot create its user. */
export const problemOfId = (id: string): string | undefined =>
  foreignUserIdPattern.test(id) ? undefined : `\`id\` must be ${foreignUserIdRule}.`;

/** Returns why a key is not valid now; undefined for one that is. `now`: milliseconds since 1970. */
export function problemOfTimes(claims: Claims, now: number): string | undefined {
  // Not `iat`: until a revocation, a key with any `iat` is accepted.
  for (const name of ['exp', 'nbf'] as const) {
    const time = claims[name];
    if (time === undefined) continue;
    if (typeof time !== 'number') return `\`${name}\` must be a number: seconds since 1970.`;
    if (time > latestSeconds) return `\`${name}\` must be in seconds since 1970, not in milliseconds.`;
  }
  const seconds = now / 1_000;
  const { exp, nbf } = claims as { exp?: number; nbf?: number };
  if (exp !== undefined && seconds >= exp) return `It has expired (\`exp\` ${exp}).`;
  if (nbf !== undefined && seconds < nbf) return `It is not valid yet (\`nbf\` ${nbf}).`;
  return undefined;
}

/** Whether the claim names a conversation. A key whose claim names none would not be limited, or open nothing. */
export const isLimit = (claim: unknown): claim is string[] =>
  Array.isArray(claim) && claim.length > 0 && claim.every((id) => typeof id === 'string' && id !== '');

const forbidden = () => new ApiError('Forbidden', 'The user key is limited to one conversation.');

/** The limits of a key for one conversation, such as that of a link in a mail, which can be passed on. */
type Limits = Pick<KeyClaims, 'conversationIds'>;

/** Throws Forbidden for another conversation than that of a key with limits. `id`: the server id or the foreign id. */
export function assertConversation({ conversationIds }: Limits, id: string): void {
  if (conversationIds && !conversationIds.includes(id)) throw forbidden();
}

/**
 * Throws Forbidden for a request that concerns the user, and not the conversation of a key with limits. Of an operation, its
 * declaration says so (`limitedKeys`).
 */
export function assertUnlimited({ conversationIds }: Limits): void {
  if (conversationIds) throw forbidden();
}

/**
 * Throws Forbidden for a key with limits in a field of the request: it proves nothing of its user but this conversation. `fields`:
 * those that the declaration marks (`schemas.userKey`).
 */
export function assertUnlimitedInput(chat: ChatEndpoint, input: unknown, fields: readonly string[]): void {
  for (const name of fields) {
    const key = (input as Record<string, unknown> | undefined)?.[name];
    const claims = typeof key === 'string' ? chat.keys.inspect(key) : undefined;
    if (claims) assertUnlimited(claims);
  }
}

/** A user as a key sees them: what an application has stored of a user is not a part of the conversation. */
export function userFor({ conversationIds }: Limits, user: User): User {
  if (!conversationIds) return user;
  const { profile: _, ...visible } = user;
  return visible;
}

/**
 * Logs a warning when an application knows a secret of user keys, of the server or of a bot. Otherwise only this server
 * signs keys, and an id that a visitor chooses cannot belong to a user of an application.
 */
export async function warnOfAnonymousUserIds(db: Database, logger: Logger, isShared: boolean): Promise<void> {
  if (!isShared && !(await db.read(anyOwnKeys))) return;
  logger.warn(
    'anonymous callers can claim the id of a user before your application signs a key for it; set ANONYMOUS_USER_IDS to refuse',
  );
}
