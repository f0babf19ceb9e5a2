// How many streams may be open at a time: of one user, and from one address. It ends none of those that are open.
import { ApiError } from '../api/errors.ts';
import { createNetworkSlots } from './network-slots.ts';

/** A page needs one; so many tabs and devices nobody has. */
const perUser = 20;
/** Visitors behind one IPv4 address or IPv6 /64: a large office. A /48 may have four times as many. */
const perAddress = 1_000;
/** Seconds after which to try again: within two pings a connection that is dead has been noticed. */
const retryAfter = 60;

export interface StreamSlots {
  /** Takes a place for a stream; the result gives it back, once. Throws RateLimited when there is none. */
  take(userId: string, network: string): () => void;
}

export function createStreamSlots(limits = { perUser, perAddress }): StreamSlots {
  const byUser = new Map<string, number>();
  const networks = createNetworkSlots(limits.perAddress);

  return {
    take(userId, network) {
      if ((byUser.get(userId) ?? 0) >= limits.perUser) {
        throw refusal(
          `This user has ${limits.perUser} streams open. Close one, such as a tab with the chat.`,
        );
      }
      const release = networks.take(network);
      if (!release) throw refusal('Too many streams are open from this address. Close one.');
      add(byUser, userId, 1);
      let isTaken = true;
      return () => {
        if (!isTaken) return;
        isTaken = false;
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
