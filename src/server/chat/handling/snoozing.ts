// The transitions of snoozing: a conversation is put aside for a while, and comes back to who has it, or to the queue.
import { limits } from '../../../protocol/limits.ts';
import { ApiError } from '../../api/errors.ts';
import type { ConversationRow } from '../../storage/chat/conversations.ts';
import type { WriteTx } from '../../storage/database.ts';
import { type HandlingRow, openStates } from '../../storage/inbox/handlings.ts';
import { findHandoff } from '../../storage/inbox/handoffs.ts';
import { isAway } from '../../storage/inbox/members.ts';
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
