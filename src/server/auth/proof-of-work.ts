// Proof of work for POST /users (setting PROOF_OF_WORK): issues challenges, checks solutions, accepts each one once.
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Challenge } from '../../protocol/error.ts';
import { ApiError } from '../api/errors.ts';
import type { Chat } from './chat-endpoint.ts';

/** What a proof is checked against. */
interface ProofCall {
  chat: Chat;
  headers: Headers;
  network: string;
}

export interface ProofOfWork {
  /**
   * Checks the proof of a request: one HMAC and one SHA-256. A used proof passes with the Idempotency-Key that it was
   * used with, so that a lost answer can be repeated. Throws ChallengeRequired, with a new challenge.
   */
  check(call: ProofCall): void;
  /**
   * Marks the checked proof of a request as used, at the time its user is created. Throws ChallengeRequired when it was
   * used before, RateLimited when too many are remembered.
   */
  spend(call: ProofCall): void;
}

/** The header that carries `challenge.nonce`. */
export const proofHeader = {
  name: 'x-user-proof',
  description: 'The solved challenge of `ChallengeRequired`: `challenge.nonce`.',
  // A repeated request may need another proof than the first one.
  isCredential: true,
} as const;

/** Milliseconds that a challenge is valid. */
const lifetime = 5 * 60_000;
/** Used proofs that are remembered, about 10 MB: 166 users a second for five minutes. */
const mostUsed = 50_000;
/** Expiry in base 36, salt (8 bytes), HMAC (16 bytes), nonce; with a nonce of 10 digits at most 55 bytes, one block. */
const form = /^([0-9a-z]{1,10})\.([\w-]{11})\.([\w-]{22})\.[\w-]{1,64}$/;

/**
 * @param bits zero bits that the SHA-256 of a proof begins with; 0 asks for no proof.
 * @param elapsed milliseconds of a clock that never goes back: a proof that is forgotten must not become valid again.
 */
export function createProofOfWork(
  bits: number,
  elapsed: () => number = () => performance.now(),
  { capacity = mostUsed } = {},
): ProofOfWork {
  if (bits === 0) return { check() {}, spend() {} };
  // Of this process: what was used is remembered in memory, so no challenge may outlive it.
  const key = randomBytes(32);
  /** Salt of a used challenge -> when it may be forgotten, and the Idempotency-Key of its request. In order of time. */
  const used = new Map<string, { until: number; idempotencyKey: string | null }>();

  const sign = (expiry: string, salt: string, { chat, network }: ProofCall): string =>
    createHmac('sha256', key)
      .update(`${expiry}.${salt}\n${chat.bot.id}\n${network}`)
      .digest()
      .subarray(0, 16)
      .toString('base64url');

  function refusal(call: ProofCall): ApiError {
    const expiry = Math.ceil(elapsed() + lifetime).toString(36);
    const salt = randomBytes(8).toString('base64url');
    const challenge = `${expiry}.${salt}.${sign(expiry, salt, call)}`;
    const metadata: Challenge = { algorithm: 'sha-256', challenge, bits };
    const reason = call.headers.has(proofHeader.name)
      ? 'The proof of work is wrong, expired, used, or was made for another chat or network.'
      : 'This chat creates users only with a proof of work.';
    return new ApiError(
      'ChallengeRequired',
      `${reason} Find a nonce (digits or letters) so that SHA-256(challenge + '.' + nonce) begins with ${bits} zero ` +
        `bits, and repeat the request with the header ${proofHeader.name}: challenge.nonce.`,
      { ...metadata },
    );
  }

  /** The salt of a proof that is valid for this request, used or not; undefined for any other. */
  function validSalt(call: ProofCall): string | undefined {
    const proof = call.headers.get(proofHeader.name) ?? '';
    const [, expiry = '', salt = '', signature = ''] = form.exec(proof) ?? [];
    if (salt === '' || Number.parseInt(expiry, 36) <= elapsed()) return undefined;
    const isOurs = timingSafeEqual(Buffer.from(signature), Buffer.from(sign(expiry, salt, call)));
    return isOurs && leadingZeros(proof) >= bits ? salt : undefined;
  }

  return {
    check(call) {
      const salt = validSalt(call);
      const earlier = salt === undefined ? undefined : used.get(salt);
      const isRepeated =
        earlier?.idempotencyKey != null && earlier.idempotencyKey === call.headers.get('idempotency-key');
      if (salt === undefined || (earlier && !isRepeated)) throw refusal(call);
    },
    spend(call) {
      // Again: it may have expired or been used while the request waited for the database.
      const salt = validSalt(call);
      if (salt === undefined || used.has(salt)) throw refusal(call);
      const now = elapsed();
      for (const [oldest, { until }] of used) {
        if (until > now) break;
        used.delete(oldest);
      }
      if (used.size >= capacity) {
        const retryAfter = 60;
        throw new ApiError(
          'RateLimited',
          `Too many users were created within five minutes. Try again in ${retryAfter} s.`,
          { retryAfter },
          { 'retry-after': String(retryAfter) },
        );
      }
      used.set(salt, { until: now + lifetime, idempotencyKey: call.headers.get('idempotency-key') });
    },
  };
}

/** Zero bits that the SHA-256 of a text begins with, up to 32. */
function leadingZeros(text: string): number {
  return Math.clz32(createHash('sha256').update(text).digest().readUInt32BE());
}
