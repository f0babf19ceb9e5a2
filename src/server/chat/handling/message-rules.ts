// The effects of a message on the handling of its conversation, and the rules for who may write.
import { limits } from '../../../protocol/limits.ts';
import { withoutMarks } from '../../../protocol/markdown-marks.ts';
import { isPermitted } from '../../../protocol/permissions.ts';
import { ApiError } from '../../api/errors.ts';
import { beginningOf, readPayloadText } from '../../api/message-text.ts';
import { type AnswerNotice, rememberAnswer } from '../../notifications/due-answers.ts';
import type { TeamChange } from '../../realtime/team-bus.ts';
import { holdMember } from '../../storage/admin/workspaces.ts';
import type { ConversationRow } from '../../storage/chat/conversations.ts';
import { lastMessage, type MessageRow } from '../../storage/chat/messages.ts';
import type { WriteTx } from '../../storage/database.ts';
import { findHandling, type HandlingRow, setLastMessage } from '../../storage/inbox/handlings.ts';
import { findHandoff, lastAssigneeOf, recordReply } from '../../storage/inbox/handoffs.ts';
import { isAway } from '../../storage/inbox/members.ts';
import { indexWords } from '../../storage/inbox/search-index.ts';
import { type ApplyChange, eventOf, type NextHandling } from './changes.ts';
import type { Answerer, AssignmentCause, Handlings } from './handlings-interface.ts';
import { personOfMember } from './visible.ts';

/** The beginning of a message as plain text, in one line, without addresses of files and marks of Markdown. */
export function previewOf({ payload }: Pick<MessageRow, 'payload'>): string {
  // More than the preview: marks and spaces are removed.
  const beginning = (text: string) => beginningOf(text, limits.inbox.preview * 5);
  const text = readPayloadText(payload, (markdown) => withoutMarks(beginning(markdown)));
  return [...beginning(text).replace(/\s+/g, ' ').trim()].slice(0, limits.inbox.preview).join('');
}

/** The last message in the row of a conversation; undefined: it does not have any. */
export const shownOf = (
  last: Pick<MessageRow, 'payload' | 'isBot' | 'author'> | undefined,
): Pick<HandlingRow, 'lastPreview' | 'lastAuthor'> => ({
  lastPreview: last ? previewOf(last) : '',
  lastAuthor: last?.isBot === 1 ? 'bot' : (last?.author ?? null) === null ? 'visitor' : 'person',
});

export interface MessageRulesOptions {
  now(): number;
  onTeamChange(workspaceId: string, change: TeamChange): void;
  /** The mail about an answer that its visitor does not read; undefined where no mails are sent. */
  answerNotices?: readonly AnswerNotice[] | undefined;
  held(tx: WriteTx, conversation: ConversationRow): Promise<HandlingRow | undefined>;
  change: ApplyChange;
  begin(
    tx: WriteTx,
    conversation: ConversationRow,
    before: HandlingRow | undefined,
    options: { by: 'visitor'; reopens: string; teamId: string | null },
  ): Promise<NextHandling>;
  joinMember(
    tx: WriteTx,
    conversation: ConversationRow,
    before: HandlingRow | undefined,
    next: NextHandling,
    to: Answerer,
    cause: AssignmentCause,
  ): Promise<HandlingRow>;
  endSnooze(tx: WriteTx, conversation: ConversationRow, row: HandlingRow): Promise<HandlingRow>;
}

export function createMessageRules({
  now,
  onTeamChange,
  answerNotices,
  held,
  change,
  begin,
  joinMember,
  endSnooze,
}: MessageRulesOptions): Pick<Handlings, 'beforeMessage' | 'afterMessage' | 'afterChange' | 'ofBot'> {
  /** A message in a closed conversation goes to the same person soon after the end, and later to the bot. */
  async function reopen(tx: WriteTx, conversation: ConversationRow, row: HandlingRow): Promise<HandlingRow> {
    const closedAt = (await findHandoff(tx, row.handoffId))?.closedAt ?? 0;
    if (now() - closedAt > limits.inbox.reopenWithin)
      return change(tx, conversation, row, { ...row, state: 'bot' });
    const memberId = await lastAssigneeOf(tx, row.handoffId);
    const next = await begin(tx, conversation, row, {
      by: 'visitor',
      reopens: row.handoffId,
      teamId: row.teamId,
    });
    const member = memberId === undefined ? undefined : await holdMember(tx, row.workspaceId, memberId);
    if (member && isPermitted(member.role, 'inbox.write') && !(await isAway(tx, member.id))) {
      const to = { memberId: member.id, person: personOfMember(member) };
      return joinMember(tx, conversation, row, next, to, 'reopened');
    }
    const activities = [{ type: 'handoff_requested', actor: { kind: 'visitor' } }] as const;
    const event = await eventOf(tx, 'handoff_requested', next.handoffId, {});
    return change(tx, conversation, row, next, { activities, event });
  }

  /** Stores the last message of a conversation, with its words, and tells the team of it. */
  async function storeLast(
    tx: WriteTx,
    { conversationId, workspaceId }: HandlingRow,
    last: MessageRow | undefined,
    place: Pick<HandlingRow, 'waitingSince' | 'lastSeq' | 'sortAt' | 'changedAt'>,
    cause: { deletedMessageId?: string; changedMessageId?: string } = {},
  ): Promise<void> {
    await setLastMessage(tx, { conversationId, ...shownOf(last), ...place });
    // Also if the text is the same: the visitor may have another name.
    await indexWords(tx, conversationId);
    tx.afterCommit(() => onTeamChange(workspaceId, { kind: 'row', conversationId, ...cause }));
  }

  return {
    async beforeMessage(tx, conversation) {
      let handling = await held(tx, conversation);
      if (handling?.state === 'closed') handling = await reopen(tx, conversation, handling);
      else if (handling?.state === 'snoozed') handling = await endSnooze(tx, conversation, handling);
      if (!handling || handling.state === 'bot') return { handling, to: 'bot' };
      const isAtDesk = handling.personId !== null && handling.assigneeId === null;
      return { handling, to: isAtDesk ? 'desk' : 'team' };
    },

    async afterMessage(tx, handling, message) {
      const at = message.createdAt;
      const { lastAuthor } = shownOf(message);
      const isWaiting = lastAuthor === 'visitor' && ['waiting', 'assigned'].includes(handling.state);
      if (lastAuthor === 'person')
        await recordReply(tx, {
          ...{ conversationId: message.conversationId, seq: message.seq, botId: handling.botId, at },
          ...{ handoffId: handling.handoffId, memberId: handling.assigneeId },
          waitingSince: handling.waitingSince,
        });
      if (lastAuthor === 'person' && answerNotices) await rememberAnswer(tx, message, answerNotices);
      const waitingSince =
        lastAuthor === 'person' ? null : isWaiting ? (handling.waitingSince ?? at) : handling.waitingSince;
      // Later than any change before, also one by a process whose clock is ahead: a page takes an equal time for another change.
      const place = { lastSeq: message.seq, sortAt: Math.max(at, handling.sortAt + 1), changedAt: at };
      await storeLast(tx, handling, message, { waitingSince, ...place });
    },

    async afterChange(tx, conversationId, { seq, at }, cause) {
      const handling = await findHandling(tx, conversationId);
      if (!handling) return;
      const { waitingSince, sortAt } = handling;
      const place = { waitingSince, lastSeq: seq, sortAt, changedAt: at };
      await storeLast(tx, handling, await lastMessage(tx, conversationId), place, cause);
    },

    async ofBot(tx, conversation, isEnd) {
      // The new sequence number holds the lock of the conversation.
      const handling = await findHandling(tx, conversation.id);
      if (!handling || handling.state === 'bot' || isEnd) return handling;
      throw new ApiError(
        'HandledByPerson',
        handling.state === 'closed'
          ? 'The conversation is closed: the bot can send nothing until the visitor writes.'
          : 'A person answers this conversation, or the visitor waits for one: the bot can send nothing until it is returned.',
      );
    },
  };
}
