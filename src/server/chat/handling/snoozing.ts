// The transitions of snoozing: a conversation is put aside for a while, and comes back to who has it, or to the queue.
import type { Logger } from 'pino';
import { limits } from '../../../protocol/limits.ts';
import { ApiError } from '../../api/errors.ts';
import type { Processes, Worker } from '../../jobs/processes.ts';
import { createScheduledWorker } from '../../jobs/scheduled-worker.ts';
import { type ConversationRow, conversationById } from '../../storage/chat/conversations.ts';
import type { Database, WriteTx } from '../../storage/database.ts';
import { endedSnoozes, type HandlingRow, nextSnoozeEnd, openStates } from '../../storage/inbox/handlings.ts';
import { findHandoff } from '../../storage/inbox/handoffs.ts';
import { isAway } from '../../storage/inbox/members.ts';
import type { Transcript } from '../transcript-interface.ts';
import type { ApplyChange } from './changes.ts';
import type { Handlings } from './handlings-interface.ts';

interface SnoozingOptions {
  now(): number;
  change: ApplyChange;
  held(tx: WriteTx, conversation: ConversationRow): Promise<HandlingRow | undefined>;
  heldIn(
    tx: WriteTx,
    conversation: ConversationRow,
    states: readonly HandlingRow['state'][],
    revision?: number,
  ): Promise<HandlingRow>;
  queue(
    tx: WriteTx,
    conversation: ConversationRow,
    row: HandlingRow,
    next: Pick<HandlingRow, 'teamId' | 'waitingSince'>,
  ): Promise<HandlingRow>;
}

export function createSnoozing({ now, change, held, heldIn, queue }: SnoozingOptions) {
  /** The member who has it answers, even if away; otherwise it waits. `waitingSince`: of a visitor without an answer. */
  const wake = (
    tx: WriteTx,
    conversation: ConversationRow,
    row: HandlingRow,
    waitingSince = row.waitingSince,
  ): Promise<HandlingRow> => {
    const isAssigned = row.personId !== null;
    const queuedAt = isAssigned ? null : now();
    const state = isAssigned ? 'assigned' : 'waiting';
    return change(tx, conversation, row, { ...row, state, snoozedUntil: null, queuedAt, waitingSince });
  };

  /** A member who has gone away does not get back a conversation whose visitor expects an answer now. */
  const wakeOrQueue = async (
    tx: WriteTx,
    conversation: ConversationRow,
    row: HandlingRow,
    waitingSince?: number,
  ): Promise<HandlingRow> =>
    row.assigneeId !== null && (await isAway(tx, row.assigneeId))
      ? queue(tx, conversation, row, { teamId: row.teamId, waitingSince: now() })
      : wake(tx, conversation, row, waitingSince);

  const isAnswered = async (tx: WriteTx, { lastAuthor, handoffId }: HandlingRow): Promise<boolean> =>
    // The last message can be an answer in an earlier handoff.
    lastAuthor === 'person' && (await findHandoff(tx, handoffId))?.firstReplyAt != null;

  const transitions: Pick<Handlings, 'snooze' | 'endSnooze'> = {
    async snooze(tx, conversation, until, revision) {
      const row = await heldIn(tx, conversation, openStates, revision);
      const most = now() + limits.inbox.snooze;
      if (until !== null && until > most)
        throw new ApiError('InvalidPayload', 'until: A conversation can be snoozed for a year at most.');
      const snoozed = { state: 'snoozed', snoozedUntil: until, queuedAt: null, waitingSince: null } as const;
      return change(tx, conversation, row, { ...row, ...snoozed });
    },

    async endSnooze(tx, conversation, { at, memberId } = {}) {
      const row = await held(tx, conversation);
      if (row?.state !== 'snoozed') return row;
      if (at !== undefined && (row.snoozedUntil === null || row.snoozedUntil > at)) return row;
      const isOwn = memberId !== undefined && memberId === row.assigneeId;
      if (await isAnswered(tx, row)) return wake(tx, conversation, row);
      return isOwn ? wake(tx, conversation, row, now()) : wakeOrQueue(tx, conversation, row, now());
    },
  };
  return { wake, wakeOrQueue, transitions };
}

/** Conversations that are read at once. */
const batchSize = 100;

interface SnoozeOptions {
  db: Database;
  processes: Pick<Processes, 'assign'>;
  transcript: Pick<Transcript, 'handlings'>;
  logger: Logger;
  now(): number;
}

/**
 * Begins to end snoozing with the start of `processes`. One process of a server ends it for conversations whose time is over.
 */
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
