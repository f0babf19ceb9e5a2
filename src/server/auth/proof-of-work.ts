// Proof of work for POST /users (setting PROOF_OF_WORK): issues challenges and accepts each valid proof once.
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Challenge } from '../../protocol/error.ts';
import { proofHeader } from '../../protocol/headers.ts';
import { ApiError } from '../api/errors.ts';
import type { ChatEndpoint } from '../api/handler.ts';
import { insertUsedProof, isProofUsed } from '../storage/cluster/shared-limits.ts';
import type { WriteTx } from '../storage/database.ts';

/** The request that a proof is checked for. */
interface ProofCall {
  chat: ChatEndpoint;
  headers: Headers;
  network: string;
}

export interface ProofOfWork {
  /**
   * Checks the proof of a request: one HMAC and one SHA-256. A used proof is accepted again with the Idempotency-Key of
   * its first use, so that a request can be retried. Throws ChallengeRequired with a new challenge.
   */
  check(call: ProofCall): void;
  /**
   * Marks the checked proof of a request as used when its user is created. Throws ChallengeRequired when another request
   * used it before, RateLimited when too many used proofs are stored.
   */
  spend(call: ProofCall & { tx: WriteTx }): void | Promise<void>;
}

/** Milliseconds that a challenge is valid. */
const lifetimeMs = 5 * 60_000;
/** The number of used proofs that are stored, about 10 MB: 166 users per second for five minutes. */
const maxUsedProofs = 50_000;
/** Expiry in base 36, salt (8 bytes), HMAC (16 bytes), nonce; with a nonce of 10 digits at most 55 bytes, one block. */
const proofPattern = /^([0-9a-z]{1,10})\.([\w-]{11})\.([\w-]{22})\.[\w-]{1,64}$/;

export interface ProofOptions {
  /** The number of used proofs that are kept in memory. */
  capacity?: number | undefined;
  /**
   * The secret of all processes: a challenge of one is valid at the others, and used proofs are stored in the database.
   * Without it, both belong to this process.
   */
  sharedSecret?: string | undefined;
}

/**
 * @param bits the number of leading zero bits of the SHA-256 of a proof; 0 disables the proof of work.
 * @param elapsed a monotonic clock in milliseconds: a used proof that was dropped must not become valid again. With several
 *   processes, a clock that they share; used proofs are kept twice as long as they are valid.
 */
export function createProofOfWork(
  bits: number,
  elapsed: () => number = () => performance.now(),
  { capacity = maxUsedProofs, sharedSecret }: ProofOptions = {},
): ProofOfWork {
  if (bits === 0) return { check() {}, spend() {} };
  // A key per process: used proofs are stored in memory, so a challenge must not be valid after a restart.
  const key =
    sharedSecret === undefined
      ? randomBytes(32)
      : createHmac('sha256', sharedSecret).update('proof of work').digest();
  /** Salt of a used challenge -> its expiry and the Idempotency-Key of its request. In order of time. */
  const used = new Map<string, { until: number; idempotencyKey: string | null }>();
  /** The headers of a request -> the salt that it has used: its transaction may run again. */
  const usedBy = new WeakMap<Headers, string>();

  const sign = (expiry: string, salt: string, { chat, network }: ProofCall): string =>
    createHmac('sha256', key)
      .update(`${expiry}.${salt}\n${chat.bot.id}\n${network}`)
      .digest()
      .subarray(0, 16)
      .toString('base64url');

  function refusal(call: ProofCall): ApiError {
    const expiry = Math.ceil(elapsed() + lifetimeMs).toString(36);
    const salt = randomBytes(8).toString('base64url');
    const challenge = `${expiry}.${salt}.${sign(expiry, salt, call)}`;
    const metadata: Challenge = { algorithm: 'sha-256', challenge, bits };
    const reason = call.headers.has(proofHeader.name)
      ? 'The proof of work is invalid, expired, already used, or belongs to another chat or network.'
      : 'This chat requires a proof of work to create a user.';
    return new ApiError(
      'ChallengeRequired',
      `${reason} Find a nonce (digits or letters) so that SHA-256(challenge + '.' + nonce) begins with ${bits} zero ` +
        `bits, and send the request again with the header ${proofHeader.name}: challenge.nonce.`,
      { ...metadata },
    );
  }

  /** The salt of a proof that is valid for this request, used or not; undefined for an invalid one. */
  function validSalt(call: ProofCall): string | undefined {
    const proof = call.headers.get(proofHeader.name) ?? '';
    const [, expiry = '', salt = '', signature = ''] = proofPattern.exec(proof) ?? [];
    if (salt === '' || Number.parseInt(expiry, 36) <= elapsed()) return undefined;
    const isOurs = timingSafeEqual(Buffer.from(signature), Buffer.from(sign(expiry, salt, call)));
    return isOurs && leadingZeros(proof) >= bits ? salt : undefined;
  }

  async function spendShared(call: ProofCall & { tx: WriteTx }): Promise<void> {
    const salt = validSalt(call);
    if (salt === undefined || (await isProofUsed(call.tx, salt))) throw refusal(call);
    await insertUsedProof(call.tx, salt, Date.now() + 2 * lifetimeMs);
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
      if (sharedSecret !== undefined) return spendShared(call);
      // Checked again: it may have expired or been used while the request waited for the database.
      const salt = validSalt(call);
      if (salt !== undefined && usedBy.get(call.headers) === salt) return undefined;
      if (salt === undefined || used.has(salt)) throw refusal(call);
      const now = elapsed();
      for (const [oldest, { until }] of used) {
        if (until > now) break;
        used.delete(oldest);
      }
      if (used.size >= capacity) {
        const retryAfterSeconds = 60;
        throw new ApiError(
          'RateLimited',
          `Too many users were created within five minutes. Try again in ${retryAfterSeconds} s.`,
          { retryAfter: retryAfterSeconds },
          { 'retry-after': String(retryAfterSeconds) },
        );
      }
      used.set(salt, { until: now + lifetimeMs, idempotencyKey: call.headers.get('idempotency-key') });
      usedBy.set(call.headers, salt);
      return undefined;
    },
  };
}

/** The number of leading zero bits of the SHA-256 of a text, up to 32. */
function leadingZeros(text: string): number {
  return Math.clz32(createHash('sha256').update(text).digest().readUInt32BE());
}
