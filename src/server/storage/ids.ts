// Creates ids: a prefix and a ULID, which sorts by the time of creation.
// Why not `ulid`: ids also begin a range of time, and are checked, with the same digits (decision 152).
import { createHash, getRandomValues } from 'node:crypto';

/** Crockford's base 32, as in the ULID specification (github.com/ulid/spec). */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const random = new Uint8Array(16);
let lastTime = 0;

export type IdPrefix =
  | 'user'
  | 'conv'
  | 'msg'
  | 'evt'
  | 'int'
  | 'bot'
  | 'stream'
  | 'file'
  | 'ws'
  | 'member'
  | 'token'
  | 'session'
  | 'version'
  | 'passage'
  | 'kb'
  | 'table'
  | 'rows'
  | 'job'
  | 'log'
  | 'audit'
  | 'state'
  | 'lease'
  | 'handoff'
  | 'assignment'
  | 'note'
  | 'answer'
  | 'team';

/**
 * Creates an id such as `msg_01JD…`. Each is greater than all previous ones of this process, also within a millisecond.
 */
export function createId(prefix: IdPrefix, now: number = Date.now()): string {
  if (now > lastTime) {
    lastTime = now;
    getRandomValues(random);
    for (const [index, byte] of random.entries()) random[index] = byte % 32;
  } else {
    increment();
  }
  return `${firstIdAt(prefix, lastTime)}${Array.from(random, (digit) => alphabet.charAt(digit)).join('')}`;
}

/** Ids begin again at the present time: for tests, whose clocks go back (scripts/vitest/setup.ts). */
export function forgetLastId(): void {
  lastTime = 0;
}

/** Returns the text before all ids that are created at a time, and after those that are created before. */
export function firstIdAt(prefix: IdPrefix, at: number): string {
  let time = '';
  for (let rest = Math.max(0, at), digit = 0; digit < 10; digit += 1) {
    time = alphabet.charAt(rest % 32) + time;
    rest = Math.floor(rest / 32);
  }
  return `${prefix}_${time}`;
}

/** True for a text that `createId('user')` could have created. Clients cannot choose such ids. */
export const isServerUserId = (text: string): boolean => /^user_[0-9A-HJKMNP-TV-Z]{26}$/.test(text);

/** The id in responses: the one that the client chose, if any. */
export function publicId(row: { id: string; foreignId: string | null }): string {
  return row.foreignId ?? row.id;
}

/** Adds one to the random part; on overflow (1 in 2^80) it increments the millisecond. */
function increment(): void {
  for (let index = random.length - 1; index >= 0; index -= 1) {
    const digit = random[index] ?? 0;
    random[index] = (digit + 1) % 32;
    if (digit < 31) return;
  }
  lastTime += 1;
}

/**
 * The hash that is stored instead of an id that a caller chose, if the id must not outlive its user: SHA-256,
 * base64url. Ids contain no line feed, so two different pairs never have the same text.
 */
export const hashOfId = (botId: string, id: string): string =>
  createHash('sha256').update(`${botId}\n${id}`).digest('base64url');
