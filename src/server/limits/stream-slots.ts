// Limits concurrent event streams per user and per address. Streams that are open must not be closed for a new one.
import { setTimeout as wait } from 'node:timers/promises';
import { ApiError } from '../api/errors.ts';
import { wideNetworkOf, wideShare } from './client-address.ts';
import { exchangeInterval } from './shared-slot-counts.ts';
import { createLocalSlotCounts, type SlotCounts } from './slot-counts.ts';

/** A page needs one; 20 is more than the tabs and devices of one user. */
export const streamsPerUser = 20;
/** Enough for a large office behind one IPv4 address or IPv6 /64. A /48 has four times as many. */
const perAddress = 1_000;
/** The value of Retry-After in seconds: a dead connection is detected within two pings. */
const retryAfter = 60;
/** The part of a limit that a process acquires before others have to know it. */
const earlyPart = 0.1;
/** Milliseconds after which other processes have told what they released. */
const releaseTime = 2 * exchangeInterval;

export interface StreamSlots {
  /** Acquires a slot for a stream; the result releases it, once. Rejects with RateLimited when none is free. */
  acquire(userId: string, network: string): Promise<() => void>;
}

interface Slot {
  key: string;
  max: number;
  refusal: string;
}

/**
 * `counts`: of all processes, if there can be several. A slot that is free, as far as this process knows, is given at once.
 * It asks the others as soon as they do not know of a tenth of a limit, and before it refuses a stream: so each process
 * exceeds a limit by at most a tenth, or one, and what it learns within a round trip.
 */
export function createStreamSlots(
  limits = { perUser: streamsPerUser, perAddress },
  counts: SlotCounts = createLocalSlotCounts(),
): StreamSlots {
  function slotsOf(userId: string, network: string): Slot[] {
    const ofUser = `This user has ${limits.perUser} streams open. Close one, such as a tab with the chat.`;
    const ofAddress = 'Too many streams are open from this address. Close one.';
    const slots = [
      { key: `user ${userId}`, max: limits.perUser, refusal: ofUser },
      { key: `network ${network}`, max: limits.perAddress, refusal: ofAddress },
    ];
    const wide = wideNetworkOf(network);
    return wide === undefined
      ? slots
      : [...slots, { key: `network ${wide}`, max: limits.perAddress * wideShare, refusal: ofAddress }];
  }

  /** The first of the slots that is not free. */
  const fullOf = (slots: readonly Slot[]) =>
    slots.find(({ key, max }) => counts.own(key) + counts.others(key) >= max);

  /** Whether others have to know first what this process has. */
  const isEarly = ({ key, max }: Slot) => counts.unknown(key) >= Math.max(1, max * earlyPart);

  return {
    async acquire(userId, network) {
      const slots = slotsOf(userId, network);
      const keys = slots.map(({ key }) => key);
      let isAlone = false;
      for (let asked = 0; ; ) {
        const full = fullOf(slots);
        if (full && (counts.own(full.key) >= full.max || isAlone || asked === 2)) throw refusal(full.refusal);
        // Nothing is awaited between this and the last look.
        if (!full && (isAlone || !slots.some(isEarly))) break;
        // What others have released may be on its way.
        if (full && asked === 1) await wait(releaseTime);
        if (full) asked += 1;
        isAlone = !(await counts.exchange(keys));
      }
      counts.change(keys, 1);
      let isAcquired = true;
      return () => {
        if (!isAcquired) return;
        isAcquired = false;
        counts.change(keys, -1);
      };
    },
  };
}

function refusal(message: string): ApiError {
  return new ApiError('RateLimited', message, { retryAfter }, { 'retry-after': String(retryAfter) });
}
