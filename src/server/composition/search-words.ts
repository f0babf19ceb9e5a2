// Indexes again, in the background, what an earlier version has indexed by another rule.
import { setImmediate } from 'node:timers/promises';
import type { Logger } from 'pino';
import { indexEarlierPassages, type PassageIndex } from '../files/index.ts';
import type { Database } from '../storage/database.ts';
import { indexWordsAgain, withEarlierWords } from '../storage/inbox/search-index.ts';

/** Rows of one transaction: other writes wait for a few milliseconds. */
const rowsAtOnce = 20;

export interface SearchWords {
  /** Begins. Until it ends, searches find what has not been indexed again by most of its words. */
  start(): void;
  /** Stops after the present rows. The next start goes on. */
  close(): Promise<void>;
}

export function createSearchWords(db: Database, passages: PassageIndex, logger: Logger): SearchWords {
  let isClosed = false;
  let running: Promise<void> | undefined;

  async function indexConversations(): Promise<number> {
    const ids = await db.read((tx) => withEarlierWords(tx, rowsAtOnce));
    if (ids.length > 0) await db.write((tx) => indexWordsAgain(tx, ids));
    return ids.length;
  }

  async function run(): Promise<void> {
    for (const step of [indexConversations, () => indexEarlierPassages(db, passages, rowsAtOnce)])
      while (!isClosed && (await step()) > 0) await setImmediate();
  }

  return {
    start() {
      running ??= run().catch((error) => {
        logger.error({ err: error }, 'the search could not be indexed again; the next start goes on');
      });
    },
    async close() {
      isClosed = true;
      await running;
    },
  };
}
