// Hashes passwords with argon2id, a few at a time, so that attempts to sign in cannot use up the memory and the processors.
import { ApiError, invalidField } from '../api/errors.ts';

/**
 * OWASP's recommendation (Password Storage Cheat Sheet): 19 MiB, 2 passes, 1 thread. A hash with other parameters is
 * replaced at the next sign-in.
 */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
const prefix = `$argon2id$v=19$m=${parameters.memoryCost},t=${parameters.timeCost},p=${parameters.parallelism}$`;
/** A hash of no password, which takes as long to verify as any other. */
const hashOfNone = `${prefix}${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** Hashes at the same time, and how many may wait. */
const atOnce = 2;
const maxWaiting = 20;

export interface Passwords {
  /** Returns the hash of a password, with its parameters and its salt (PHC string format). */
  hash(password: string): Promise<string>;
  /** Whether the password has this hash. Without a hash it takes as long, and is false. */
  verify(hash: string | undefined, password: string): Promise<boolean>;
  /** Whether a hash has other parameters than new ones. */
  isOutdated(hash: string): boolean;
}

/** All methods reject with RateLimited when too many passwords are being checked. */
export function createPasswords(): Passwords {
  let running = 0;
  const waiting: (() => void)[] = [];

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (running >= atOnce) {
      if (waiting.length >= maxWaiting) throw tooMany();
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      // The place of this one is taken over.
      if (next) next();
      else running -= 1;
    }
  }

  return {
    hash: (password) =>
      inTurn(async () => {
        const { hash } = await import('@node-rs/argon2');
        return hash(normalized(password), parameters);
      }),
    verify: (hash, password) =>
      inTurn(async () => {
        const { verify } = await import('@node-rs/argon2');
        const isRight = await verify(hash ?? hashOfNone, normalized(password));
        return isRight && hash !== undefined;
      }),
    isOutdated: (hash) => !hash.startsWith(prefix),
  };
}

/** One password in any notation of its letters: keyboards differ in how they write é. */
const normalized = (password: string): string => password.normalize('NFC');

const tooMany = () =>
  new ApiError(
    'RateLimited',
    'Too many passwords are being checked. Try again in 1 s.',
    { retryAfter: 1 },
    { 'retry-after': '1' },
  );

/** Throws InvalidPayload for a password that others use, too. `email`: the address of the member. */
export async function assertUncommon(password: string, email: string): Promise<void> {
  const { frequentPasswords } = await import('./frequent-passwords.ts');
  const lower = normalized(password).toLowerCase();
  // Digits and signs around a common password, and its repetition, are what is tried next.
  const core = lower.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  const half = lower.slice(0, lower.length / 2);
  const once = half + half === lower ? half : lower;
  const isCommon = [lower, core, once].some((one) => frequentPasswords.has(one)) || new Set(lower).size < 4;
  if (!isCommon && lower !== email) return;
  throw invalidField(
    'password',
    'This password is easy to guess. Use another one, such as four words that do not belong together.',
  );
}
