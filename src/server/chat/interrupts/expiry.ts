// Cancels interrupts that were not answered in time. One process of a server does this.
import type { Logger } from 'pino';
import type { Processes, Worker } from '../../jobs/processes.ts';
import { createScheduledWorker } from '../../jobs/scheduled-worker.ts';
import { conversationById } from '../../storage/chat/conversations.ts';
import {
  expiredInterrupts,
  findInterrupt,
  type InterruptRow,
  nextExpiry,
  settleInterrupt,
} from '../../storage/chat/interrupts.ts';
import type { Database } from '../../storage/database.ts';
import type { Transcript } from '../transcript-interface.ts';
import { unknownOutcome } from './answer.ts';
import type { Settlement } from './settled-parts.ts';

const expired = { state: 'cancelled', settledBy: 'expired', answerHash: null, payload: null } as const;
/** Interrupts that are read at once. */
const batchSize = 100;

interface ExpiryOptions {
  db: Database;
  processes: Pick<Processes, 'assign'>;
  transcript: Pick<Transcript, 'settleInterrupts'>;
  logger: Logger;
  now(): number;
}

/** Begins to cancel interrupts with the start of `processes`. */
export function assignInterruptExpiry({ processes, ...options }: ExpiryOptions): void {
  processes.assign('expire interrupts', (db) => createInterruptExpiry({ ...options, db }));
}

function createInterruptExpiry({ db, transcript, logger, now }: Omit<ExpiryOptions, 'processes'>): Worker {
  /** Settles the interrupts of one message, unless they were settled in the meantime. */
  async function expire(rows: readonly InterruptRow[]): Promise<void> {
    const [{ conversationId } = { conversationId: '' }] = rows;
    await db.write(async (tx) => {
      await tx.lock(`conversation:${conversationId}`);
      const conversation = await conversationById(tx, conversationId);
      const settled: [InterruptRow, Settlement][] = [];
      for (const { id } of rows) {
        const row = await findInterrupt(tx, id);
        if (row?.state !== 'open') continue;
        settled.push([row, row.claim === null ? { state: 'cancelled', by: 'expired' } : unknownOutcome]);
      }
      if (conversation) await transcript.settleInterrupts(tx, conversation, settled);
      // The cleanup removes the rest of a deleted conversation. Until then, its interrupts are not found again.
      else for (const [{ id }] of settled) await settleInterrupt(tx, { id, ...expired });
    });
  }

  return createScheduledWorker({
    async run(isClosed) {
      const rows = await db.read((tx) => expiredInterrupts(tx, now(), batchSize));
      const byMessage = new Map<string, InterruptRow[]>();
      for (const row of rows) byMessage.set(row.messageId, [...(byMessage.get(row.messageId) ?? []), row]);
      let hasFailed = false;
      for (const ofMessage of byMessage.values()) {
        if (isClosed()) break;
        await expire(ofMessage).catch((error: unknown) => {
          hasFailed = true;
          logger.error({ err: error }, 'cancelling an expired interrupt failed');
        });
      }
      return !hasFailed;
    },
    nextTime: () => db.read(nextExpiry),
    failure: 'cancelling expired interrupts failed',
    logger,
    now,
  });
}
