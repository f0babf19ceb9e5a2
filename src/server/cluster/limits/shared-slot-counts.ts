// The slots that all processes count together. Each stores its own numbers, in one transaction for all that changed, and reads
// those of the others. They count while the process is alive, so that those of a killed one become free with its lease.
import type { Logger } from 'pino';
import { createKeyedHash } from '../../limits/keyed-hash.ts';
import type { SlotCounts } from '../../limits/slot-counts.ts';
import {
  countOpenStreams,
  deleteOpenStreams,
  deleteOpenStreamsOfGone,
  openStreamsOfOthers,
  saveOpenStreams,
} from '../../storage/cluster/open-streams.ts';
import type { Database } from '../../storage/database.ts';

/** Milliseconds between two exchanges. */
const exchangeIntervalMs = 200;
/** Milliseconds between two checks of what is stored. */
const checkIntervalMs = 60_000;
/** The number of keys in one transaction. */
const batch = 1_000;

interface Count {
  key: string;
  /** What the database has instead of the key. */
  id: string;
  own: number;
  /** What is stored for this process. */
  stored: number;
  others: number;
}

export interface SharedSlotCounts extends SlotCounts {
  /**
   * Removes the numbers of processes that have ended, and stores those of this one again if some are missing: others
   * may have removed them while it was frozen. Runs each minute.
   */
  check(): Promise<void>;
  close(): Promise<void>;
}

export interface SharedSlotCountsOptions {
  db: Database;
  /** The id of this process, whose signs of life are in the table `processes`. */
  processId: string;
  /** Keys contain addresses of visitors, which are stored as a keyed hash only. */
  secret: string;
  logger: Logger;
}

/** Begins to exchange. */
export function createSharedSlotCounts(options: SharedSlotCountsOptions): SharedSlotCounts {
  const { db, processId, secret, logger } = options;
  const counts = new Map<string, Count>();
  const pending = new Set<Count>();
  let last: Promise<unknown> = Promise.resolve();
  let failures = 0;
  let isClosed = false;

  const hash = createKeyedHash(secret);

  function countOf(key: string): Count {
    const found = counts.get(key) ?? { key, id: hash(`open streams ${key}`), own: 0, stored: 0, others: 0 };
    counts.set(key, found);
    return found;
  }

  async function exchangeBatch(): Promise<void> {
    const sent = [...pending].slice(0, batch).map((count) => ({ count, id: count.id, streams: count.own }));
    for (const { count } of sent) pending.delete(count);
    try {
      await db.write((tx) => saveOpenStreams(tx, processId, sent));
      // After the commit: of two processes that exchange at the same time, at least one knows what the other has.
      const ids = sent.map(({ id }) => id);
      const rows = await db.read((tx) => openStreamsOfOthers(tx, processId, ids));
      const others = new Map(rows.map(({ id, streams }) => [id, streams]));
      for (const { count, streams } of sent) {
        count.stored = streams;
        count.others = others.get(count.id) ?? 0;
      }
    } catch (error) {
      for (const { count } of sent) pending.add(count);
      throw error;
    }
  }

  async function exchangePending(): Promise<void> {
    while (pending.size > 0) await exchangeBatch();
  }

  async function checkStored(): Promise<void> {
    const stored = await db.write(async (tx) => {
      await deleteOpenStreamsOfGone(tx);
      return countOpenStreams(tx, processId);
    });
    let known = 0;
    for (const [key, count] of counts) {
      if (count.stored > 0) known += 1;
      else if (count.own === 0 && !pending.has(count)) counts.delete(key);
    }
    if (stored === known) return;
    for (const count of counts.values()) pending.add(count);
    await exchangePending();
  }

  /** Returns whether it succeeded. */
  async function attempt(work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      failures = 0;
      return true;
    } catch (error) {
      failures += 1;
      // Until the database answers, each process decides by what it knows.
      if (failures === 1 && !isClosed)
        logger.warn({ err: error }, 'the open streams are not shared with other processes');
      return false;
    }
  }

  /** Runs one work after the other. */
  function enqueue(work: () => Promise<void>): Promise<boolean> {
    const result = last.then(() => attempt(work));
    last = result;
    return result;
  }

  /** An exchange that begins later, so that it includes what changes until then. */
  let next: Promise<boolean> | undefined;
  const exchangeNext = (): Promise<boolean> => {
    next ??= enqueue(() => {
      next = undefined;
      return exchangePending();
    });
    return next;
  };

  const timers = [
    setInterval(() => {
      if (pending.size > 0) void exchangeNext();
    }, exchangeIntervalMs),
    setInterval(() => void enqueue(checkStored), checkIntervalMs),
  ];
  for (const timer of timers) timer.unref();

  return {
    own: (key) => counts.get(key)?.own ?? 0,
    others: (key) => counts.get(key)?.others ?? 0,
    unknown(key) {
      const count = counts.get(key);
      return count ? Math.max(0, count.own - count.stored) : 0;
    },
    change(keys, by) {
      for (const key of keys) {
        const count = countOf(key);
        count.own += by;
        pending.add(count);
      }
    },
    async exchange(keys) {
      if (isClosed) return false;
      for (const key of keys) pending.add(countOf(key));
      return exchangeNext();
    },
    releaseTimeMs: 2 * exchangeIntervalMs,
    check: async () => void (await enqueue(checkStored)),
    async close() {
      isClosed = true;
      for (const timer of timers) clearInterval(timer);
      // If the database does not respond, the numbers have no effect as soon as this process counts as ended.
      await enqueue(() => db.write((tx) => deleteOpenStreams(tx, processId)));
    },
  };
}
