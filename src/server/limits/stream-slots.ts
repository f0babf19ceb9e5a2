// Limits concurrent event streams per user or member, and per address. Streams that are open must not be closed for a new one.
import { ApiError } from '../api/errors.ts';
import { wideNetworkOf, wideShare } from './client-address.ts';
import type { SlotCounts } from './slot-counts.ts';
import { createSlots, type Slot } from './slots.ts';

/** A page needs one; 20 is more than the tabs and devices of one user, or of one member with the inbox. */
export const streamsPerUser = 20;
/** The value of Retry-After in seconds: a dead connection is detected within two pings. */
const retryAfterSeconds = 60;

/** Who reads a stream: the user of a bot, or a member who has the inbox open. */
export type StreamReader = 'user' | 'member';

/** Where a reader has a stream open. */
const pages: Record<StreamReader, string> = { user: 'chat', member: 'inbox' };

export interface StreamSlots {
  /** Acquires a slot for a stream; the result releases it, once. Rejects with RateLimited when none is free. */
  acquire(id: string, network: string, kind?: StreamReader): Promise<() => void>;
}

interface StreamSlot extends Slot {
  refusal: string;
}

/** `counts`: of all processes, if there can be several. */
export function createStreamSlots(
  limits: { perUser: number; perAddress: number },
  counts?: SlotCounts,
): StreamSlots {
  const slots = createSlots(counts);

  function slotsOf(id: string, network: string, kind: StreamReader): StreamSlot[] {
    const ofReader = `This ${kind} has ${limits.perUser} streams open. Close one, such as a tab with the ${pages[kind]}.`;
    const ofAddress = 'Too many streams are open from this address. Close one.';
    const wanted = [
      { key: `${kind} ${id}`, max: limits.perUser, refusal: ofReader },
      { key: `network ${network}`, max: limits.perAddress, refusal: ofAddress },
    ];
    const wide = wideNetworkOf(network);
    return wide === undefined
      ? wanted
      : [...wanted, { key: `network ${wide}`, max: limits.perAddress * wideShare, refusal: ofAddress }];
  }

  return {
    async acquire(id, network, kind = 'user') {
      const acquired = await slots.acquire(slotsOf(id, network, kind));
      if ('full' in acquired) throw refusal(acquired.full.refusal);
      return acquired.release;
    },
  };
}

function refusal(message: string): ApiError {
  return new ApiError(
    'RateLimited',
    message,
    { retryAfter: retryAfterSeconds },
    { 'retry-after': String(retryAfterSeconds) },
  );
}
