// Slots of keys with limits, also where several processes share them: open streams of a user, connections of a network.
import { setTimeout as wait } from 'node:timers/promises';
import { ApiError } from '../api/errors.ts';
import { wideNetworkOf, wideShare } from './client-address.ts';

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
        // Released slots of others may be on their way.
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
        // Released slots of others may be on their way.
        await wait(counts.releaseTimeMs);
      }
    },
  };
}

/** The slots of each key that this process has acquired, and that other processes have. A key is a user or a network. */
export interface SlotCounts {
  /** The slots that this process has. */
  own(key: string): number;
  /** The slots that other processes have, as far as this one knows. */
  others(key: string): number;
  /** The slots of this process that others do not know yet. */
  unknown(key: string): number;
  /** Acquires (1) or releases (-1) a slot of each key. */
  change(keys: readonly string[], by: 1 | -1): void;
  /**
   * Tells the others what this process has of these keys, and asks what they have. Returns false if they could not be asked.
   * Never rejects.
   */
  exchange(keys: readonly string[]): Promise<boolean>;
  /** Milliseconds after which this process knows the slots that others have released. */
  readonly releaseTimeMs: number;
}

/** The counts of a server that is one process. */
export function createLocalSlotCounts(): SlotCounts {
  const counts = new Map<string, number>();
  return {
    own: (key) => counts.get(key) ?? 0,
    others: () => 0,
    unknown: () => 0,
    change(keys, by) {
      for (const key of keys) {
        const count = (counts.get(key) ?? 0) + by;
        if (count === 0) counts.delete(key);
        else counts.set(key, count);
      }
    },
    exchange: async () => true,
    releaseTimeMs: 0,
  };
}

/** A page needs one; 20 is more than the tabs and devices of one user, or of one member with the inbox. */
export const streamsPerUser = 20;
/** The value of Retry-After in seconds: a dead connection is detected within two pings. */
const retryAfterSeconds = 60;

/** The reader of a stream: the user of a bot, or a member who has the inbox open. */
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

/**
 * Limits concurrent event streams per user or member, and per address. Open streams are never closed for a new one. `counts`:
 * of all processes, if there can be several.
 */
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

export interface NetworkSlots {
  /** Acquires a slot for `network` (`networkOf`). The result releases it, once. Undefined when none is free. */
  acquire(network: string): (() => void) | undefined;
  /** The number of networks with acquired slots. */
  readonly size: number;
}

/**
 * Limits concurrent connections or streams per network: for IPv6 both per /64 and, with a larger limit, per /48. `max`: slots
 * of one IPv4 address or IPv6 /64.
 */
export function createNetworkSlots(max: number): NetworkSlots {
  const open = new Map<string, number>();
  const add = (network: string, change: number): void => {
    const count = (open.get(network) ?? 0) + change;
    if (count === 0) open.delete(network);
    else open.set(network, count);
  };

  return {
    acquire(network) {
      const wide = wideNetworkOf(network);
      if ((open.get(network) ?? 0) >= max) return undefined;
      if (wide !== undefined && (open.get(wide) ?? 0) >= max * wideShare) return undefined;
      const networks = wide === undefined ? [network] : [network, wide];
      for (const name of networks) add(name, 1);
      let isAcquired = true;
      return () => {
        if (!isAcquired) return;
        isAcquired = false;
        for (const name of networks) add(name, -1);
      };
    },
    get size() {
      return open.size;
    },
  };
}
