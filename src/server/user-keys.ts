// User keys: HS256 JSON Web Tokens (RFC 7519) that say who a caller is. Any other algorithm is refused.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { BotRow } from './db/bots.ts';

export interface UserKeys {
  /** The key of a user; `id` is their foreign id where they have one, else their server id. */
  sign(id: string): string;
  /** The id in a key, or undefined when the key is not ours, has expired (`exp`) or is not valid yet (`nbf`). */
  verify(key: string): string | undefined;
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
  return {
    sign(id) {
      const text = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode({ id })}`;
      return `${text}.${signature(text).toString('base64url')}`;
    },
    verify(key) {
      const [header = '', payload = '', given = '', ...more] = key.split('.');
      if (more.length > 0 || !isSigned(`${header}.${payload}`, Buffer.from(given, 'base64url'))) return;
      const { alg, crit } = decode(header);
      // RFC 7515 4.1.11: a `crit` we do not know must be refused, and we know none.
      if (alg !== 'HS256' || crit !== undefined) return;
      const { id, exp, nbf } = decode(payload);
      const seconds = now() / 1000;
      if (exp !== undefined && !(typeof exp === 'number' && seconds < exp)) return;
      if (nbf !== undefined && !(typeof nbf === 'number' && seconds >= nbf)) return;
      // SQLite's binding ends a text at a NUL: `victim\0x` must not pass as `victim`.
      return typeof id === 'string' && id !== '' && !id.includes('\0') ? id : undefined;
    },
  };
}

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
