// Limits concurrent event streams per user and per address. Streams that are open must not be closed for a new one.
import { ApiError } from '../api/errors.ts';
import { createNetworkSlots } from './network-slots.ts';

/** A page needs one; 20 is more than the tabs and devices of one user. */
export const streamsPerUser = 20;
/** Enough for a large office behind one IPv4 address or IPv6 /64. A /48 has four times as many. */
const perAddress = 1_000;
/** The value of Retry-After in seconds: a dead connection is detected within two pings. */
const retryAfter = 60;

export interface StreamSlots {
  /** Acquires a slot for a stream; the result releases it, once. Throws RateLimited when none is free. */
  acquire(userId: string, network: string): () => void;
}

export function createStreamSlots(limits = { perUser: streamsPerUser, perAddress }): StreamSlots {
  const byUser = new Map<string, number>();
  const networks = createNetworkSlots(limits.perAddress);

  return {
    acquire(userId, network) {
      if ((byUser.get(userId) ?? 0) >= limits.perUser) {
        throw refusal(
          `This user has ${limits.perUser} streams open. Close one, such as a tab with the chat.`,
        );
      }
      const release = networks.acquire(network);
      if (!release) throw refusal('Too many streams are open from this address. Close one.');
      add(byUser, userId, 1);
      let isAcquired = true;
      return () => {
        if (!isAcquired) return;
        isAcquired = false;
        add(byUser, userId, -1);
        release();
      };
    },
  };
}

function refusal(message: string): ApiError {
  return new ApiError('RateLimited', message, { retryAfter }, { 'retry-after': String(retryAfter) });
}

function add(counts: Map<string, number>, key: string, change: number): void {
  const count = (counts.get(key) ?? 0) + change;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}
