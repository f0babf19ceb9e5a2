// User keys: HS256 JSON Web Tokens (RFC 7519) that say who a caller is. Any other algorithm is refused.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { BotRow } from '../storage/bots/bots.ts';

/** What a user key with a right signature says. */
export interface KeyClaims {
  /** The user: a server id in an issued key, else a foreign id or, where nobody has that, a server id. */
  id: string;
  /** This server issued the key, so that `id` is a server id and nothing else. */
  isIssued: boolean;
  /** The payload is `{id}` and nothing else, as in keys that earlier versions of this server issued. */
  isBare: boolean;
  /** `iat` in milliseconds since 1970; undefined where the key has none that is a number. */
  issuedAt: number | undefined;
  /** `exp` in milliseconds since 1970; undefined for a key that does not expire. */
  expiresAt: number | undefined;
  /** False before `nbf` and from `exp` on: such a key opens nothing. */
  isCurrent: boolean;
  /** Names the key where it is revoked: SHA-256, base64url. */
  hash: string;
}

export interface UserKeys {
  /** A key of the user `id`, with further claims. */
  sign(id: string, claims?: object): string;
  /** The claims of a key with a right signature, also of one that has expired; undefined for any other text. */
  inspect(key: string): KeyClaims | undefined;
  /** The id in a key, or undefined when the key is not ours, has expired (`exp`) or is not valid yet (`nbf`). */
  verify(key: string): string | undefined;
}

/** `iss` of the keys that this server issues. */
const issuer = 'platform-webchat';

/**
 * The claims of a key that this server issues. `keyId` names the key, `issuedAt` is in milliseconds since 1970,
 * `lifetime` in seconds, 0 for a key that does not expire. Milliseconds are kept as a fraction (RFC 7519, section 2:
 * NumericDate), so that keys of one second can be told apart when keys are revoked.
 */
export function issuedClaims(keyId: string, issuedAt: number, lifetime: number): object {
  const iat = issuedAt / 1000;
  return { iss: issuer, jti: keyId, iat, ...(lifetime > 0 ? { exp: Math.ceil(iat + lifetime) } : {}) };
}

/** Signs with one secret, and accepts what a previous one signed. `now` gives milliseconds since 1970. */
export function createUserKeys(
  secret: string,
  now: () => number = Date.now,
  previous: readonly string[] = [],
): UserKeys {
  const signature = (text: string, key = secret): Buffer => createHmac('sha256', key).update(text).digest();
  const isSigned = (text: string, given: Buffer): boolean =>
    [secret, ...previous].some((key) => {
      const expected = signature(text, key);
      return given.length === expected.length && timingSafeEqual(given, expected);
    });
  const inspect = (key: string): KeyClaims | undefined => {
    const [header = '', payload = '', given = '', ...more] = key.split('.');
    const signed = `${header}.${payload}`;
    if (more.length > 0 || !isSigned(signed, Buffer.from(given, 'base64url'))) return;
    const { alg, crit } = decode(header);
    // RFC 7515 4.1.11: a `crit` we do not know must be refused, and we know none.
    if (alg !== 'HS256' || crit !== undefined) return;
    return readClaims(decode(payload), signed, now());
  };
  return {
    sign(id, claims = {}) {
      const text = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode({ id, ...claims })}`;
      return `${text}.${signature(text).toString('base64url')}`;
    },
    inspect,
    verify(key) {
      const claims = inspect(key);
      return claims?.isCurrent ? claims.id : undefined;
    },
  };
}

/** `signed`: the part of the key that the signature covers. `now`: milliseconds since 1970. */
function readClaims(payload: Record<string, unknown>, signed: string, now: number): KeyClaims | undefined {
  const { id, iss, iat, exp, nbf, jti } = payload;
  // SQLite's binding ends a text at a NUL: `victim\0x` must not pass as `victim`.
  if (typeof id !== 'string' || id === '' || id.includes('\0')) return undefined;
  const seconds = now / 1000;
  const isExpired = exp !== undefined && !(typeof exp === 'number' && seconds < exp);
  const isEarly = nbf !== undefined && !(typeof nbf === 'number' && seconds >= nbf);
  return {
    id,
    isIssued: iss === issuer,
    isBare: Object.keys(payload).length === 1,
    issuedAt: milliseconds(iat),
    expiresAt: milliseconds(exp),
    isCurrent: !isExpired && !isEarly,
    // Not the whole text: a signature can be spelled in several ways (padding, unused bits of base64url), and another
    // spelling of a revoked key must be revoked, too. `jti` need not be unique beyond one id.
    hash: sha256(typeof jti === 'string' ? JSON.stringify([id, jti]) : signed),
  };
}

/** A NumericDate (RFC 7519, section 2) in whole milliseconds; undefined for what is none, or too far to be counted. */
function milliseconds(date: unknown): number | undefined {
  const value = typeof date === 'number' ? Math.round(date * 1000) : Number.NaN;
  return Number.isSafeInteger(value) ? value : undefined;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** What says which secret a bot's keys are signed with. */
type KeyHolder = Pick<BotRow, 'id' | 'ownKeys'>;

/** The keys of each bot: those with a secret of their own sign with one that is made of the server's. */
export interface KeyRing {
  keysOf(bot: KeyHolder): UserKeys;
  /** The secret that an application signs with; undefined where it is the server's, which its operator has. */
  secretOf(bot: KeyHolder): string | undefined;
}

/**
 * HMAC as a key derivation: one secret tells nothing of another, nor of an earlier one, nor of the server's. `previous`:
 * the server's secrets of before; what they, or the secrets made of them, signed is still accepted.
 */
export function createKeyRing(
  secret: string,
  now: () => number = Date.now,
  previous: readonly string[] = [],
): KeyRing {
  const shared = createUserKeys(secret, now, previous);
  const derive = (from: string, { id, ownKeys }: KeyHolder): string =>
    createHmac('sha256', from).update(nameOf(id, ownKeys)).digest('base64url');
  return {
    secretOf: (bot) => (bot.ownKeys === 0 ? undefined : derive(secret, bot)),
    keysOf(bot) {
      if (bot.ownKeys === 0) return shared;
      const earlier = previous.map((from) => derive(from, bot));
      return createUserKeys(derive(secret, bot), now, earlier);
    },
  };
}

/** The first goes without its number, as it did before there were others. No id has a space. */
const nameOf = (id: string, generation: number): string =>
  `user keys of ${id}${generation === 1 ? '' : ` ${generation}`}`;

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** The object in one part of a token; {} when there is none. */
function decode(part: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString());
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
