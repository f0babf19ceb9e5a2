// Acquires slots of keys with limits, such as the open streams of a user, also where several processes share them.
import { setTimeout as wait } from 'node:timers/promises';
import { createLocalSlotCounts, type SlotCounts } from './slot-counts.ts';

/** The part of a limit that a process acquires before others have to know it. */
const earlyPart = 0.1;

export interface Slot {
  key: string;
  max: number;
}

export interface Slots {
  /**
   * Acquires one slot of each key. Resolves with a function that releases them, once; or, if one of the keys has no free slot,
   * with its element of `slots`.
   */
  acquire<S extends Slot>(slots: readonly S[]): Promise<{ release(): void } | { full: S }>;
  /** The same without exceeding a limit, for a round trip to the database each time. */
  acquireExactly<S extends Slot>(slots: readonly S[]): Promise<{ release(): void } | { full: S }>;
}

/**
 * `counts`: of all processes, if there can be several. A slot that is free, as far as this process knows, is given at once.
 * It asks the others as soon as they do not know of a tenth of a limit, and before it refuses one: so each process exceeds a
 * limit by at most a tenth, or one, and what it learns within a round trip.
 */
export function createSlots(counts: SlotCounts = createLocalSlotCounts()): Slots {
  const releaseOnce = (keys: readonly string[]) => {
    let isAcquired = true;
    return {
      release() {
        if (!isAcquired) return;
        isAcquired = false;
        counts.change(keys, -1);
      },
    };
  };

  /** Whether others have to know first what this process has. */
  const isEarly = ({ key, max }: Slot) => counts.unknown(key) >= Math.max(1, max * earlyPart);

  return {
    async acquire(slots) {
      const keys = slots.map(({ key }) => key);
      let isAlone = false;
      for (let asked = 0; ; ) {
        const full = slots.find(({ key, max }) => counts.own(key) + counts.others(key) >= max);
        if (full && (counts.own(full.key) >= full.max || isAlone || asked === 2)) return { full };
        // Nothing is awaited between this and the last look.
        if (!full && (isAlone || !slots.some(isEarly))) break;
        // What others have released may be on its way.
        if (full && asked === 1) await wait(counts.releaseTimeMs);
        if (full) asked += 1;
        isAlone = !(await counts.exchange(keys));
      }
      counts.change(keys, 1);
      return releaseOnce(keys);
    },
    async acquireExactly(slots) {
      const keys = slots.map(({ key }) => key);
      // Others know of them before this process looks, so that two processes cannot both take the last one.
      counts.change(keys, 1);
      for (let isRepeated = false; ; isRepeated = true) {
        const isKnown = await counts.exchange(keys);
        const full = slots.find(({ key, max }) => counts.own(key) + counts.others(key) > max);
        if (!full) return releaseOnce(keys);
        if (counts.own(full.key) > full.max || !isKnown || isRepeated) {
          counts.change(keys, -1);
          return { full };
        }
        // What others have released may be on its way.
        await wait(counts.releaseTimeMs);
      }
    },
  };
}
