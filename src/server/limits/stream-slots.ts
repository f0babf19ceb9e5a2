// Limits concurrent event streams per user and per address. Streams that are open must not be closed for a new one.
import { ApiError } from '../api/errors.ts';
import { wideNetworkOf, wideShare } from './client-address.ts';
import type { SlotCounts } from './slot-counts.ts';
import { createSlots, type Slot } from './slots.ts';

/** A page needs one; 20 is more than the tabs and devices of one user. */
export const streamsPerUser = 20;
/** Enough for a large office behind one IPv4 address or IPv6 /64. A /48 has four times as many. */
const perAddress = 1_000;
/** The value of Retry-After in seconds: a dead connection is detected within two pings. */
const retryAfter = 60;

export interface StreamSlots {
  /** Acquires a slot for a stream; the result releases it, once. Rejects with RateLimited when none is free. */
  acquire(userId: string, network: string): Promise<() => void>;
}

interface StreamSlot extends Slot {
  refusal: string;
}

/** `counts`: of all processes, if there can be several. */
export function createStreamSlots(
  limits = { perUser: streamsPerUser, perAddress },
  counts?: SlotCounts,
): StreamSlots {
  const slots = createSlots(counts);

  function slotsOf(userId: string, network: string): StreamSlot[] {
    const ofUser = `This user has ${limits.perUser} streams open. Close one, such as a tab with the chat.`;
    const ofAddress = 'Too many streams are open from this address. Close one.';
    const wanted = [
      { key: `user ${userId}`, max: limits.perUser, refusal: ofUser },
      { key: `network ${network}`, max: limits.perAddress, refusal: ofAddress },
    ];
    const wide = wideNetworkOf(network);
    return wide === undefined
      ? wanted
      : [...wanted, { key: `network ${wide}`, max: limits.perAddress * wideShare, refusal: ofAddress }];
  }

  return {
    async acquire(userId, network) {
      const acquired = await slots.acquire(slotsOf(userId, network));
      if ('full' in acquired) throw refusal(acquired.full.refusal);
      return acquired.release;
    },
  };
}

function refusal(message: string): ApiError {
  return new ApiError('RateLimited', message, { retryAfter }, { 'retry-after': String(retryAfter) });
}
