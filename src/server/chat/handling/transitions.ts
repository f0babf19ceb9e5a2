// The transitions between the states of handling. Each is one change in the transaction of its conversation, from the
// revision that was read under the lock of the conversation (changes.ts).
import { limits } from '../../../protocol/limits.ts';
import { ApiError } from '../../api/errors.ts';
import { botById } from '../../storage/bots/bots.ts';
import type { ConversationRow } from '../../storage/chat/conversations.ts';
import type { WriteTx } from '../../storage/database.ts';
import { findHandling, type HandlingRow, openStates } from '../../storage/inbox/handlings.ts';
import { findHandoff } from '../../storage/inbox/handoffs.ts';
import { insertNote } from '../../storage/inbox/new-note.ts';
import { externalIdOf, personOf } from '../../storage/inbox/persons.ts';
import { createChanges, stale } from './changes.ts';
import type { Handlings } from './handlings-interface.ts';
import { eventOf } from './handoff-event.ts';
import { createMessageRules } from './message-rules.ts';
import { createSteps, type HandlingsOptions, left } from './steps.ts';
import { handlingOf, personIn } from './visible.ts';

/** The error for a caller who is too late. */
export function alreadyTaken(row: HandlingRow): ApiError {
  const person = personIn(row);
  const assignee = { ...(row.assigneeId === null ? {} : { memberId: row.assigneeId }), ...person };
  return new ApiError('AlreadyTaken', `${person?.name ?? 'Another person'} answers this conversation.`, {
    assignee,
  });
}

export function createHandlings(options: HandlingsOptions): Handlings {
  const { now, onTeamChange } = options;
  const change = createChanges(options);

  async function held(
    tx: WriteTx,
    { id }: ConversationRow,
    revision?: number,
  ): Promise<HandlingRow | undefined> {
    await tx.lock(`conversation:${id}`);
    const row = await findHandling(tx, id);
    if (revision !== undefined && (row?.revision ?? 0) !== revision)
      throw stale(row ?? { state: 'bot', revision: 0 });
    return row;
  }

  /** The handling of a conversation that is in one of these states. */
  async function heldIn(
    tx: WriteTx,
    conversation: ConversationRow,
    states: readonly HandlingRow['state'][],
    revision?: number,
  ): Promise<HandlingRow> {
    const row = await held(tx, conversation, revision);
    if (!row || !states.includes(row.state)) throw stale(row ?? { state: 'bot', revision: 0 });
    return row;
  }

  const { begin, leave, join, joinMember, end } = createSteps(options, change);

  const rules = createMessageRules({
    ...options,
    held,
    change,
    begin,
    joinMember,
    endSnooze: async (tx, conversation, row) => endSnoozed(tx, conversation, row),
  });

  const endSnoozed = (tx: WriteTx, conversation: ConversationRow, row: HandlingRow): Promise<HandlingRow> => {
    const isAssigned = row.personId !== null;
    const queuedAt = isAssigned ? null : now();
    const state = isAssigned ? 'assigned' : 'waiting';
    return change(tx, conversation, row, { ...row, state, snoozedUntil: null, queuedAt });
  };

  return {
    ...rules,
    find: held,
    visible: (tx, conversation, row) => handlingOf(tx, row, conversation.id),

    async request(tx, conversation, by, { reason, note }) {
      const before = await held(tx, conversation);
      const isOpen = before !== undefined && openStates.includes(before.state);
      if (note !== undefined) {
        const text = {
          conversationId: conversation.id,
          afterSeq: conversation.seq,
          memberId: null,
          authorName: 'Bot',
        };
        const stored = await insertNote(tx, { ...text, body: note, createdAt: now() });
        const workspaceId = before?.workspaceId ?? (await botById(tx, conversation.botId))?.workspaceId ?? '';
        if (stored)
          tx.afterCommit(() =>
            onTeamChange(workspaceId, { kind: 'note', conversationId: conversation.id, noteId: stored.id }),
          );
      }
      if (isOpen) return before;
      const next = await begin(tx, conversation, before, { by, ...(reason === undefined ? {} : { reason }) });
      return change(tx, conversation, before, next, {
        activities: [{ type: 'handoff_requested', actor: { kind: by } }],
        event: await eventOf(tx, 'handoff_requested', next.handoffId, {}),
      });
    },

    async take(tx, conversation, by, revision) {
      const row = await held(tx, conversation);
      if (row && row.personId !== null) {
        if (row.assigneeId !== by.memberId) throw alreadyTaken(row);
        return row.state === 'snoozed' ? endSnoozed(tx, conversation, row) : row;
      }
      if (revision !== undefined && revision !== (row?.revision ?? 0))
        throw stale(row ?? { state: 'bot', revision: 0 });
      const isOpen = row !== undefined && openStates.includes(row.state);
      const next = isOpen ? row : await begin(tx, conversation, row, { by: 'person', ...reopening(row) });
      return joinMember(tx, conversation, row, next, by, 'taken');
    },

    async accept(tx, conversation, person) {
      const row = await held(tx, conversation);
      const identity = externalIdOf(person);
      if (row && row.personId !== null) {
        const own = await personOf(tx, conversation.botId, identity, person, now());
        if (row.personId !== own.id) throw alreadyTaken(row);
        return row;
      }
      if (!row || !openStates.includes(row.state)) throw stale(row ?? { state: 'bot', revision: 0 });
      return join(tx, conversation, row, row, { identity, memberId: null, person, cause: 'accepted' });
    },

    async assign(tx, conversation, to, revision) {
      const row = await heldIn(tx, conversation, openStates, revision);
      if (row.assigneeId === to.memberId) return row;
      return joinMember(tx, conversation, row, row, to, 'assigned');
    },

    async release(tx, conversation, by, revision) {
      const row = await heldIn(tx, conversation, openStates, revision);
      if (row.personId === null && row.state === 'waiting') return row;
      const lines = await leave(tx, conversation, row);
      const requestedAt = (await findHandoff(tx, row.handoffId))?.requestedAt ?? now();
      // Queued at the front, because this visitor has already waited.
      const waiting = { ...left, state: 'waiting', queuedAt: requestedAt, snoozedUntil: null } as const;
      const waitingSince = row.waitingSince ?? (by === 'system' ? now() : null);
      return change(tx, conversation, row, { ...row, ...waiting, waitingSince }, { activities: lines });
    },

    async returnToBot(tx, conversation, by, revision) {
      const row = await held(tx, conversation, revision);
      if (!row || row.state === 'bot') return row;
      if (row.state === 'closed') throw stale(row);
      const outcome = row.state === 'waiting' ? 'abandoned' : 'bot';
      return end(tx, conversation, row, { state: 'bot', by, outcome });
    },

    async close(tx, conversation, by, revision) {
      const row = await held(tx, conversation, revision);
      if (!row || !openStates.includes(row.state)) return row;
      const outcome = by === 'visitor' && row.state === 'waiting' ? 'abandoned' : 'resolved';
      return end(tx, conversation, row, { state: 'closed', by, outcome });
    },

    async snooze(tx, conversation, until, revision) {
      const row = await heldIn(tx, conversation, openStates, revision);
      const most = now() + limits.inbox.snooze;
      if (until !== null && until > most)
        throw new ApiError('InvalidPayload', 'until: A conversation can be snoozed for a year at most.');
      const snoozed = { state: 'snoozed', snoozedUntil: until, queuedAt: null, waitingSince: null } as const;
      return change(tx, conversation, row, { ...row, ...snoozed });
    },

    async endSnooze(tx, conversation, at) {
      const row = await held(tx, conversation);
      if (row?.state !== 'snoozed') return row;
      if (at !== undefined && (row.snoozedUntil === null || row.snoozedUntil > at)) return row;
      return endSnoozed(tx, conversation, row);
    },
  };
}

/** The handoff that another one opens again. */
export const reopening = (row: HandlingRow | undefined): { reopens?: string } =>
  row?.state === 'closed' ? { reopens: row.handoffId } : {};
