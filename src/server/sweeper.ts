// Sweeps out what is past its time, in small steps so that nobody waits for it. It deletes nothing that can be seen.
import type { Logger } from 'pino';
import { logLifetime } from './bot-log.ts';
import { deleteOldBotLogs } from './db/bot-logs.ts';
import { sweepGraves } from './db/conversations.ts';
import type { Database, WriteTx } from './db/database.ts';
import { deleteOldDeadLetters } from './db/deliveries.ts';
import { anyExpired } from './db/file-graves.ts';
import { deleteOldRequests } from './db/requests.ts';
import { deleteExpiredKeys } from './db/user-keys.ts';
import type { PassageIndex } from './files/full-text.ts';
import type { FileStore } from './files/store.ts';
import { sweepFiles, sweepOrphans } from './files/sweep.ts';

/** Rows in one step. */
const step = 1_000;
/** Milliseconds between two rounds. */
const interval = 60 * 60 * 1000;
/** Milliseconds between two looks for files whose time is over: they say so to the minute. */
const look = 60 * 1000;

export interface Sweeper {
  /** Looks once for files that a crash has orphaned, then sweeps. */
  start(): Promise<void>;
  /** Sweeps until nothing is left; also called when a conversation, a user or a bot was deleted. */
  sweep(): Promise<void>;
  close(): Promise<void>;
}

export interface SweeperOptions {
  db: Database;
  store: FileStore;
  passages: PassageIndex;
  logger: Logger;
  now(): number;
  /** Removes a part of what deleted bots left; gives how much that was. */
  sweepBots(tx: WriteTx): Promise<number>;
}

export function createSweeper({ db, store, passages, logger, now, sweepBots }: SweeperOptions): Sweeper {
  let closed = false;
  let round: Promise<void> | undefined;
  let again = false;
  const timer = setInterval(() => void sweep(), interval);
  timer.unref();
  const looks = setInterval(() => void sweepExpired(), look);
  looks.unref();

  async function sweepExpired(): Promise<void> {
    try {
      if (await db.read((tx) => anyExpired(tx, now()))) await sweep();
    } catch (error) {
      if (!closed) logger.error({ err: error }, 'looking for expired files failed');
    }
  }

  async function run(): Promise<void> {
    try {
      do {
        again = false;
        while (!closed && (await db.write(sweepBots)) > 0);
        while (!closed && (await db.write((tx) => sweepGraves(tx, step))) > 0);
        while (!closed && (await db.write((tx) => deleteOldRequests(tx, now(), step))) > 0);
        while (!closed && (await db.write((tx) => deleteExpiredKeys(tx, now(), step))) > 0);
        while (!closed && (await sweepFiles(db, store, passages, now())) > 0);
        const old = now() - logLifetime;
        while (!closed && (await db.write((tx) => deleteOldBotLogs(tx, old, step))) > 0);
        while (!closed && (await db.write((tx) => deleteOldDeadLetters(tx, old, step))) > 0);
      } while (again && !closed);
    } catch (error) {
      logger.error({ err: error }, 'sweeping failed');
    }
    round = undefined;
  }

  function sweep(): Promise<void> {
    again = true;
    round ??= run();
    return round;
  }

  return {
    start() {
      round = sweepOrphans(db, store, () => closed)
        .catch((error: unknown) => logger.error({ err: error }, 'sweeping orphaned files failed'))
        .then(run);
      return round;
    },
    sweep,
    async close() {
      closed = true;
      clearInterval(timer);
      clearInterval(looks);
      await round;
    },
  };
}
