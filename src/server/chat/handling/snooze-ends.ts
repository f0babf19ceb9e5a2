// Ends the snoozing of conversations whose time is over. One process of a server does it.
import type { Logger } from 'pino';
import type { Cluster, Worker } from '../../cluster/cluster.ts';
import { conversationById } from '../../storage/chat/conversations.ts';
import type { Database } from '../../storage/database.ts';
import { endedSnoozes, nextSnoozeEnd } from '../../storage/inbox/handlings.ts';
import type { Transcript } from '../transcript-interface.ts';

/** Milliseconds between two looks at the database, at most. */
const longestWait = 30_000;
/** Milliseconds until the next attempt after a failure. */
const retryTime = 5_000;
/** Conversations that are read at once. */
const batchSize = 100;

interface SnoozeOptions {
  db: Database;
  cluster: Pick<Cluster, 'assign'>;
  transcript: Pick<Transcript, 'handlings'>;
  logger: Logger;
  now(): number;
}

/** Begins to end snoozing with the start of `cluster`. */
export function assignSnoozeEnds({ cluster, ...options }: SnoozeOptions): void {
  cluster.assign('end snoozing', (db) => createSnoozeEnds({ ...options, db }));
}

function createSnoozeEnds({ db, transcript, logger, now }: Omit<SnoozeOptions, 'cluster'>): Worker {
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;

  /** Returns the milliseconds until the next run. */
  async function run(): Promise<number> {
    for (const id of await db.read((tx) => endedSnoozes(tx, now(), batchSize))) {
      if (isClosed) break;
      await db.write(async (tx) => {
        await tx.lock(`conversation:${id}`);
        const conversation = await conversationById(tx, id);
        if (conversation) await transcript.handlings.endSnooze(tx, conversation, now());
      });
    }
    const next = await db.read(nextSnoozeEnd);
    return Math.max(0, Math.min(longestWait, (next ?? Number.MAX_SAFE_INTEGER) - now()));
  }

  function runNow(): void {
    if (isClosed) return;
    clearTimeout(timer);
    running ??= run()
      .catch((error: unknown) => {
        if (!isClosed) logger.error({ err: error }, 'ending snoozed conversations failed');
        return retryTime;
      })
      .then((wait) => {
        running = undefined;
        // A conversation of a deleted user stays due until it is removed.
        if (!isClosed) timer = setTimeout(runNow, Math.max(1_000, wait)).unref();
      });
  }

  return {
    start: runNow,
    wake: runNow,
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await running;
    },
  };
}
