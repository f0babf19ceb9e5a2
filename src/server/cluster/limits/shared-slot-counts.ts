// The slots that all processes count together. Each stores its own numbers, in one transaction for all that changed, and reads
// those of the others. They count while the process is alive, so that those of a killed one become free with its lease.
import type { Logger } from 'pino';
import { createKeyedHash } from '../../limits/client-address.ts';
import type { SlotCounts } from '../../limits/slots.ts';
import {
  countOpenStreams,
  deleteOpenStreams,
  deleteOpenStreamsOfGone,
  openStreamsOfOthers,
  saveOpenStreams,
} from '../../storage/cluster/shared-limits.ts';
import type { Database } from '../../storage/database.ts';
import { createExchange, exchangeIntervalMs } from './exchange.ts';

interface Count {
  /** The value in the database instead of the key. */
  id: string;
  own: number;
  /** The stored numbers of this process. */
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
  const exchange = createExchange<Count>({
    async send(batch) {
      const sent = [...batch].map(([id, { own }]) => ({ id, streams: own }));
      await db.write((tx) => saveOpenStreams(tx, processId, sent));
      // After the commit: of two processes that exchange at the same time, at least one knows what the other has.
      const rows = await db.read((tx) => openStreamsOfOthers(tx, processId, [...batch.keys()]));
      const others = new Map(rows.map(({ id, streams }) => [id, streams]));
      for (const { id, streams } of sent)
        Object.assign(batch.get(id) ?? {}, { stored: streams, others: others.get(id) ?? 0 });
    },
    merge: (count) => count,
    async check() {
      const stored = await db.write(async (tx) => {
        await deleteOpenStreamsOfGone(tx);
        return countOpenStreams(tx, processId);
      });
      let counted = 0;
      for (const [key, count] of counts) {
        if (count.stored > 0) counted += 1;
        else if (count.own === 0 && !pending.has(count.id)) counts.delete(key);
      }
      if (stored !== counted) for (const count of counts.values()) pending.set(count.id, count);
    },
    logger,
    failure: 'the open streams are not shared with other processes',
  });
  const { pending } = exchange;
  const hash = createKeyedHash(secret);

  function countOf(key: string): Count {
    const found = counts.get(key) ?? { id: hash(`open streams ${key}`), own: 0, stored: 0, others: 0 };
    counts.set(key, found);
    return found;
  }

  const ask = (count: Count) => void pending.set(count.id, count);

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
        ask(count);
      }
    },
    exchange(keys) {
      for (const key of keys) ask(countOf(key));
      return exchange.run();
    },
    releaseTimeMs: 2 * exchangeIntervalMs,
    check: async () => void (await exchange.check()),
    // If the database does not respond, the numbers have no effect as soon as this process counts as ended.
    close: () => exchange.close(() => db.write((tx) => deleteOpenStreams(tx, processId))),
  };
}
