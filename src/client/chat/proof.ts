// Solves the proof of work that a server may require before it creates a user. The widget loads it as a chunk, so it
// imports no code. It computes SHA-256 itself: `crypto.subtle` is missing on http pages and needs a task for each hash.
import type { Challenge } from '../../protocol/error.ts';

/** Milliseconds of computation between two pauses, in which the page can render and handle input. */
const sliceMs = 8;
/** Hashes between two checks of the clock. */
const batch = 32;
/** Digits of a nonce. With a challenge of this server the text to hash is then 55 bytes: one block of SHA-256. */
const nonceLength = 10;
/** Only the first 32-bit word of the hash is compared. */
const maxBits = 32;

/**
 * Solves the challenge of a `ChallengeRequired` error. The expected work is 2^bits hashes; the thread is released every
 * 8 ms.
 * @param challenge the error's `metadata`: `{algorithm, challenge, bits}`.
 * @param signal aborts the work; the promise then rejects with the abort reason.
 * @returns the value of the request header `x-user-proof`, valid for one user.
 * @throws RangeError (as a rejection) for a challenge that this function cannot solve.
 */
export async function solveChallenge(
  challenge: Challenge | Record<string, unknown> | undefined,
  signal?: AbortSignal,
): Promise<string> {
  const { algorithm, challenge: text, bits } = (challenge ?? {}) as Partial<Challenge>;
  if (algorithm !== 'sha-256' || !text || bits === undefined || !(bits >= 0 && bits <= maxBits)) {
    throw new RangeError(`solveChallenge: needs {algorithm: 'sha-256', challenge, bits: 0 to ${maxBits}}.`);
  }
  const prefix = new TextEncoder().encode(`${text}.`);
  const message = pad(prefix, nonceLength);
  const nonce = message.subarray(prefix.length, prefix.length + nonceLength);
  // Browsers slow down timers that are nested or in hidden pages, but not messages.
  const { port1, port2 } = new MessageChannel();
  try {
    for (;;) {
      signal?.throwIfAborted();
      const end = performance.now() + sliceMs;
      do {
        for (let i = 0; i < batch; i++) {
          if (Math.clz32(firstWord(message)) >= bits) return `${text}.${String.fromCharCode(...nonce)}`;
          increment(nonce);
        }
      } while (performance.now() < end);
      await new Promise((resolve) => {
        port1.onmessage = resolve;
        port2.postMessage(0);
      });
    }
  } finally {
    port1.close();
  }
}

/** The padded message (FIPS 180-4, 5.1.1): the prefix, a nonce of zeros, a one bit, and the length in bits. */
function pad(prefix: Uint8Array, digits: number): Uint8Array {
  const length = prefix.length + digits;
  const message = new Uint8Array(Math.ceil((length + 9) / 64) * 64);
  message.set(prefix);
  message.fill(48, prefix.length, length);
  message[length] = 0x80;
  new DataView(message.buffer).setUint32(message.length - 4, length * 8);
  return message;
}

/** Increments a decimal number in ASCII. The largest number becomes zero. */
function increment(digits: Uint8Array): void {
  let i = digits.length - 1;
  while (digits[i] === 57) digits[i--] = 48;
  digits[i] = Number(digits[i]) + 1;
}

/** The initial hash value (FIPS 180-4, 5.3.3) and the constants of the rounds (4.2.2). */
const initial = /* @__PURE__ */ rootsOfPrimes(8, 1 / 2);
const constants = /* @__PURE__ */ rootsOfPrimes(64, 1 / 3);
const state = /* @__PURE__ */ new Int32Array(8);
const words = /* @__PURE__ */ new Int32Array(64);

/** The first 32 bits of the fractional parts of the roots of the first primes. */
function rootsOfPrimes(length: number, exponent: number): Int32Array {
  const roots = new Int32Array(length);
  for (let number = 2, count = 0; count < length; number++) {
    let divisor = 2;
    while (number % divisor) divisor++;
    // The array keeps the lowest 32 bits of the integer part.
    if (divisor === number) roots[count++] = number ** exponent * 2 ** 32;
  }
  return roots;
}

/** Every requested index is within the array. */
const at = (array: Int32Array | Uint8Array, index: number): number => array[index] as number;
const rotate = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

/** The first 32 bits of the SHA-256 of a padded message (FIPS 180-4, 6.2.2). */
function firstWord(message: Uint8Array): number {
  state.set(initial);
  for (let block = 0; block < message.length; block += 64) {
    for (let t = 0; t < 16; t++) {
      const i = block + t * 4;
      words[t] =
        (at(message, i) << 24) | (at(message, i + 1) << 16) | (at(message, i + 2) << 8) | at(message, i + 3);
    }
    for (let t = 16; t < 64; t++) {
      const x = at(words, t - 15);
      const y = at(words, t - 2);
      const s0 = rotate(x, 7) ^ rotate(x, 18) ^ (x >>> 3);
      const s1 = rotate(y, 17) ^ rotate(y, 19) ^ (y >>> 10);
      words[t] = at(words, t - 16) + s0 + at(words, t - 7) + s1;
    }
    let a = at(state, 0);
    let b = at(state, 1);
    let c = at(state, 2);
    let d = at(state, 3);
    let e = at(state, 4);
    let f = at(state, 5);
    let g = at(state, 6);
    let h = at(state, 7);
    for (let t = 0; t < 64; t++) {
      const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
      const t1 = (h + s1 + ((e & f) ^ (~e & g)) + at(constants, t) + at(words, t)) | 0;
      const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
      const t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
      h = g;
      g = f;
      f = e;
      e = (d + t1) | 0;
      d = c;
      c = b;
      b = a;
      a = (t1 + t2) | 0;
    }
    state[0] = at(state, 0) + a;
    state[1] = at(state, 1) + b;
    state[2] = at(state, 2) + c;
    state[3] = at(state, 3) + d;
    state[4] = at(state, 4) + e;
    state[5] = at(state, 5) + f;
    state[6] = at(state, 6) + g;
    state[7] = at(state, 7) + h;
  }
  return at(state, 0);
}
