// Ends the snoozing of conversations whose time is over. One process of a server does it.
import type { Logger } from 'pino';
import type { Processes, Worker } from '../../jobs/processes.ts';
import { createScheduledWorker } from '../../jobs/scheduled-worker.ts';
import { conversationById } from '../../storage/chat/conversations.ts';
import type { Database } from '../../storage/database.ts';
import { endedSnoozes, nextSnoozeEnd } from '../../storage/inbox/handlings.ts';
import type { Transcript } from '../transcript-interface.ts';

/** Conversations that are read at once. */
const batchSize = 100;

interface SnoozeOptions {
  db: Database;
  processes: Pick<Processes, 'assign'>;
  transcript: Pick<Transcript, 'handlings'>;
  logger: Logger;
  now(): number;
}

/** Begins to end snoozing with the start of `processes`. */
export function assignSnoozeEnds({ processes, ...options }: SnoozeOptions): void {
  processes.assign('end snoozing', (db) => createSnoozeEnds({ ...options, db }));
}

const createSnoozeEnds = ({ db, transcript, logger, now }: Omit<SnoozeOptions, 'processes'>): Worker =>
  createScheduledWorker({
    async run(isClosed) {
      for (const id of await db.read((tx) => endedSnoozes(tx, now(), batchSize))) {
        if (isClosed()) break;
        await db.write(async (tx) => {
          await tx.lock(`conversation:${id}`);
          const conversation = await conversationById(tx, id);
          if (conversation) await transcript.handlings.endSnooze(tx, conversation, { at: now() });
        });
      }
      return true;
    },
    nextTime: () => db.read(nextSnoozeEnd),
    // A conversation of a deleted user stays due until it is removed.
    leastWaitMs: 1_000,
    failure: 'ending snoozed conversations failed',
    logger,
    now,
  });
