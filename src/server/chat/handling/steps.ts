// The steps of transitions: a handoff begins and ends, a person joins and leaves.
import type { AuthorKind, HandoffOutcome, Person } from '../../../protocol/handling.ts';
import { botById } from '../../storage/bots/bots.ts';
import type { ConversationRow } from '../../storage/chat/conversations.ts';
import { lastMessage, messageIdsAfter } from '../../storage/chat/messages.ts';
import { userById } from '../../storage/chat/users.ts';
import type { WriteTx } from '../../storage/database.ts';
import { createId } from '../../storage/ids.ts';
import type { HandlingRow } from '../../storage/inbox/handlings.ts';
import {
  type ActivityItem,
  beginAssignment,
  closeHandoff,
  endAssignment,
  findHandoff,
  insertHandoff,
} from '../../storage/inbox/handoffs.ts';
import { personOf } from '../../storage/inbox/members.ts';
import type { Transcript } from '../transcript-interface.ts';
import { type ApplyChange, type ChangesOptions, eventOf, type NextHandling } from './changes.ts';
import type { Answerer, AssignmentCause } from './handlings-interface.ts';
import { type MessageRulesOptions, shownOf } from './message-rules.ts';
import type { Ratings } from './ratings.ts';
import type { ReadsOptions } from './reads.ts';
import { personIn } from './visible.ts';

export type HandlingsOptions = ChangesOptions &
  ReadsOptions &
  Pick<MessageRulesOptions, 'answerNotices'> &
  Pick<Transcript, 'addParticipant' | 'removeParticipant' | 'supersedeInterrupts'>;

/** The maximum number of message ids since the handoff that the bot receives when it answers again. */
const maxMessageIds = 100;

/** Nobody answers. */
export const unassigned = { assigneeId: null, personId: null, person: null };
const settled = { waitingSince: null, queuedAt: null, snoozedUntil: null };

/** Nobody waits, and nobody answers. */
const ended = { ...unassigned, ...settled };

/** Returns the steps. All of them need the lock of the conversation, and a handling that was read under it. */
export function createSteps(options: HandlingsOptions, change: ApplyChange, ratings: Ratings) {
  const { now } = options;

  /** Begins a handoff, and returns the fields of a conversation that waits. */
  async function begin(
    tx: WriteTx,
    conversation: ConversationRow,
    before: HandlingRow | undefined,
    {
      by,
      reason = null,
      reopens = null,
      teamId = null,
    }: { by: AuthorKind; reason?: string | null; reopens?: string | null; teamId?: string | null },
  ): Promise<NextHandling> {
    await options.supersedeInterrupts(tx, conversation, undefined);
    const at = now();
    const id = createId('handoff');
    const { botId } = conversation;
    const requestedSeq = conversation.seq;
    await insertHandoff(tx, {
      ...{
        id,
        conversationId: conversation.id,
        botId,
        requestedAt: at,
        requestedBy: by,
        requestedSeq,
        reason,
        reopens,
        teamId,
      },
    });
    const waiting = { ...ended, state: 'waiting', handoffId: id, waitingSince: at, queuedAt: at } as const;
    if (before) return { ...before, ...waiting, teamId };
    const bot = await botById(tx, botId);
    const last = await lastMessage(tx, conversation.id);
    return {
      ...waiting,
      conversationId: conversation.id,
      workspaceId: bot?.workspaceId ?? '',
      botId,
      teamId,
      ...shownOf(last),
    };
  }

  /** Ends the assignment: the person leaves. Returns the line of the transcript. */
  async function leave(
    tx: WriteTx,
    conversation: ConversationRow,
    row: HandlingRow | undefined,
  ): Promise<ActivityItem[]> {
    if (!row || row.personId === null) return [];
    await endAssignment(tx, conversation.id, now());
    const user = await userById(tx, row.personId);
    if (user) await options.removeParticipant(tx, conversation, user);
    return [{ type: 'person_left', actor: { kind: 'person', ...nameOf(row) }, ...memberIn(row.assigneeId) }];
  }

  /** A person begins to answer. `identity`: the member, or the identity of a person at another help desk. */
  async function join(
    tx: WriteTx,
    conversation: ConversationRow,
    before: HandlingRow | undefined,
    next: NextHandling,
    to: { identity: string; memberId: string | null; person: Person; cause: AssignmentCause },
  ): Promise<HandlingRow> {
    const lines = await leave(tx, conversation, before);
    const at = now();
    const user = await personOf(tx, conversation.botId, to.identity, to.person, at);
    await options.addParticipant(tx, conversation, user);
    const { handoffId } = next;
    await beginAssignment(tx, {
      ...{ handoffId, conversationId: conversation.id, botId: conversation.botId, memberId: to.memberId },
      ...{ at, cause: to.cause },
    });
    const { name } = to.person;
    const assigned: NextHandling = {
      ...next,
      state: 'assigned',
      assigneeId: to.memberId,
      personId: user.id,
      person: JSON.stringify(to.person),
      queuedAt: null,
      snoozedUntil: null,
    };
    return change(tx, conversation, before, assigned, {
      activities: [
        ...lines,
        { type: 'person_joined', actor: { kind: 'person', name }, ...memberIn(to.memberId) },
      ],
      event: await eventOf(tx, 'conversation_assigned', handoffId, { person: to.person }),
    });
  }

  const joinMember = (
    tx: WriteTx,
    conversation: ConversationRow,
    before: HandlingRow | undefined,
    next: NextHandling,
    { memberId, person }: Answerer,
    cause: AssignmentCause,
  ) => join(tx, conversation, before, next, { identity: memberId, memberId, person, cause });

  /** Ends a handoff, in a state in which nobody answers. */
  async function end(
    tx: WriteTx,
    conversation: ConversationRow,
    row: HandlingRow,
    to: {
      state: 'bot' | 'closed';
      by: AuthorKind | 'system';
      /** Of the person who ends it. */
      name?: string | undefined;
      memberId?: string | undefined;
      outcome: HandoffOutcome;
    },
  ): Promise<HandlingRow> {
    const { state, by, name, memberId, outcome } = to;
    const lines = await leave(tx, conversation, row);
    await closeHandoff(tx, row.handoffId, { at: now(), by, outcome });
    const actor = { kind: by, ...(name === undefined ? {} : { name }) };
    const type = state === 'bot' ? 'returned_to_bot' : 'conversation_closed';
    const kind = state === 'bot' ? 'handoff_ended' : 'conversation_closed';
    const handoff = await findHandoff(tx, row.handoffId);
    const from = handoff?.requestedSeq ?? 0;
    const data =
      state === 'bot' ? { messageIds: await messageIdsAfter(tx, conversation.id, from, maxMessageIds) } : {};
    const changed = await change(
      tx,
      conversation,
      row,
      { ...row, ...ended, state },
      {
        activities: [...lines, { type, actor, ...memberIn(memberId) }],
        event: await eventOf(tx, kind, row.handoffId, data),
      },
    );
    if (state === 'closed' && handoff) await ratings.offer(tx, conversation, handoff);
    return changed;
  }

  return { begin, leave, join, joinMember, end };
}

const nameOf = (row: HandlingRow): { name?: string } => {
  const name = personIn(row)?.name;
  return name === undefined ? {} : { name };
};

const memberIn = (memberId: string | null | undefined): { memberId?: string } =>
  memberId == null ? {} : { memberId };
