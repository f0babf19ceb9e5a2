// The transitions between the states of handling. Each is one change in the transaction of its conversation, from the
// revision that was read under the lock of the conversation (changes.ts).
import { hoursStatus } from '../../../protocol/opening-hours.ts';
import { ApiError } from '../../api/errors.ts';
import { botById } from '../../storage/bots/bots.ts';
import type { ConversationRow } from '../../storage/chat/conversations.ts';
import type { WriteTx } from '../../storage/database.ts';
import { publicId } from '../../storage/ids.ts';
import { findHandling, type HandlingRow, openStates } from '../../storage/inbox/handlings.ts';
import { findHandoff } from '../../storage/inbox/handoffs.ts';
import { externalIdOf, personOf } from '../../storage/inbox/members.ts';
import { insertNote } from '../../storage/inbox/new-note.ts';
import { setNotifiedPlace } from '../../storage/inbox/routing.ts';
import { defaultTeam, findTeamByName, openingHoursOf } from '../../storage/inbox/teams.ts';
import { type ChangesOptions, createChanges, eventOf, stale } from './changes.ts';
import type { Handlings } from './handlings-interface.ts';
import { createMessageRules } from './message-rules.ts';
import { createMemberChanges, createVisitorChanges } from './profile-changes.ts';
import { createRatings } from './ratings.ts';
import { createReads } from './reads.ts';
import { createSnoozing } from './snoozing.ts';
import { createSteps, type HandlingsOptions, unassigned } from './steps.ts';
import { handlingOf, personIn, serializeRequest, visibleState } from './visible.ts';

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

  const ratings = createRatings(options);
  const { begin, leave, join, joinMember, end } = createSteps(options, change, ratings);

  const snoozing = createSnoozing({ now, change, held, heldIn, queue });
  const rules = createMessageRules({
    ...options,
    held,
    change,
    begin,
    joinMember,
    endSnooze: snoozing.wakeOrQueue,
  });

  /** Nobody answers any more: the conversation waits, in the queue of a team if it has one. */
  async function queue(
    tx: WriteTx,
    conversation: ConversationRow,
    row: HandlingRow,
    next: Pick<HandlingRow, 'teamId' | 'waitingSince'>,
  ): Promise<HandlingRow> {
    const lines = await leave(tx, conversation, row);
    // Queued at the front, because this visitor has already waited.
    const queuedAt = (await findHandoff(tx, row.handoffId))?.requestedAt ?? now();
    const waiting = { ...unassigned, ...next, state: 'waiting', queuedAt, snoozedUntil: null } as const;
    return change(tx, conversation, row, { ...row, ...waiting }, { activities: lines });
  }

  return {
    ...rules,
    ...snoozing.transitions,
    rate: ratings.rate,
    ...createReads(options),
    ...createVisitorChanges(options),
    ...createMemberChanges(options, change),
    find: held,
    notifyPlace: createQueuePlaces(options, held),
    answer: (tx, conversation, request) => serializeRequest(tx, request, conversation.id, now()),

    async request(tx, conversation, by, { reason, note, team, leavesMessage = false }) {
      const before = await held(tx, conversation);
      const isOpen = before !== undefined && openStates.includes(before.state);
      const workspaceId = before?.workspaceId ?? (await botById(tx, conversation.botId))?.workspaceId ?? '';
      if (!isOpen && !leavesMessage) {
        const { isOpen: isAnswered, opensAt } = hoursStatus(await openingHoursOf(tx, workspaceId), now());
        if (!isAnswered) return { accepted: false, row: before, opensAt };
      }
      if (note !== undefined) {
        const text = {
          conversationId: conversation.id,
          afterSeq: conversation.seq,
          memberId: null,
          authorName: 'Bot',
        };
        const stored = await insertNote(tx, { ...text, body: note, createdAt: now() });
        if (stored)
          tx.afterCommit(() =>
            onTeamChange(workspaceId, { kind: 'note', conversationId: conversation.id, noteId: stored.id }),
          );
      }
      if (isOpen) return { accepted: true, row: before };
      const teamId = await teamOf(tx, workspaceId, team);
      const next = await begin(tx, conversation, before, {
        by,
        teamId,
        ...(reason === undefined ? {} : { reason }),
      });
      const row = await change(tx, conversation, before, next, {
        activities: [{ type: 'handoff_requested', actor: { kind: by } }],
        event: await eventOf(tx, 'handoff_requested', next.handoffId, {}),
      });
      return { accepted: true, row };
    },

    async take(tx, conversation, by, revision) {
      const row = await held(tx, conversation);
      if (row && row.personId !== null) {
        if (row.assigneeId !== by.memberId) throw alreadyTaken(row);
        // The member who takes it answers, also if they are away.
        return row.state === 'snoozed' ? snoozing.wake(tx, conversation, row) : row;
      }
      if (revision !== undefined && revision !== (row?.revision ?? 0))
        throw stale(row ?? { state: 'bot', revision: 0 });
      const isOpen = row !== undefined && openStates.includes(row.state);
      const next = isOpen
        ? row
        : await begin(tx, conversation, row, {
            by: 'person',
            teamId: row?.teamId ?? null,
            ...reopening(row),
          });
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

    async route(tx, conversation, to) {
      const row = await heldIn(tx, conversation, ['waiting']);
      return joinMember(tx, conversation, row, row, to, 'routed');
    },

    async assignTeam(tx, conversation, teamId, revision) {
      const row = await heldIn(tx, conversation, openStates, revision);
      if (row.teamId === teamId && row.personId === null && row.state === 'waiting') return row;
      return queue(tx, conversation, row, { teamId, waitingSince: row.waitingSince });
    },

    async release(tx, conversation, by, revision) {
      const row = await heldIn(tx, conversation, openStates, revision);
      if (row.personId === null && row.state === 'waiting') return row;
      const waitingSince = row.waitingSince ?? (by === 'system' ? now() : null);
      return queue(tx, conversation, row, { teamId: row.teamId, waitingSince });
    },

    async returnToBot(tx, conversation, by, { revision, ...who } = {}) {
      const row = await held(tx, conversation, revision);
      if (!row || row.state === 'bot') return row;
      if (row.state === 'closed') throw stale(row);
      const outcome = visibleState(row) === 'waiting' ? 'abandoned' : 'bot';
      return end(tx, conversation, row, { state: 'bot', by, ...who, outcome });
    },

    async close(tx, conversation, by, { revision, ...who } = {}) {
      const row = await held(tx, conversation, revision);
      if (!row || !openStates.includes(row.state)) return row;
      const outcome = by === 'visitor' && visibleState(row) === 'waiting' ? 'abandoned' : 'resolved';
      return end(tx, conversation, row, { state: 'closed', by, ...who, outcome });
    },
  };
}

/** The id of a team by its id or name; without one, of the default team, if there is one. */
async function teamOf(tx: WriteTx, workspaceId: string, team: string | undefined): Promise<string | null> {
  if (team === undefined) return (await defaultTeam(tx, workspaceId))?.id ?? null;
  const found = await findTeamByName(tx, workspaceId, team);
  if (!found) throw new ApiError('ReferenceConstraint', 'There is no team with this id or name.');
  return found.id;
}

/** The handoff that another one opens again. */
export const reopening = (row: HandlingRow | undefined): { reopens?: string } =>
  row?.state === 'closed' ? { reopens: row.handoffId } : {};

/** Notifies waiting visitors of their new place in the queue. `find`: the handling of a conversation, under its lock. */
export function createQueuePlaces(
  { log, now }: Pick<ChangesOptions, 'log' | 'now'>,
  find: Handlings['find'],
): Handlings['notifyPlace'] {
  return async (tx: WriteTx, conversation: ConversationRow) => {
    const row = await find(tx, conversation);
    if (!row || row.queuedAt === null) return;
    const { seq, at } = await log.incrementSequence(tx, conversation);
    const handling = await handlingOf(tx, row, publicId(conversation), now());
    const data = { ...handling, activities: [] };
    await log.appendSignal(tx, conversation, seq, { type: 'handling_changed', data }, null);
    await setNotifiedPlace(tx, conversation.id, handling.queue?.position, at);
  };
}
