// Changes of stored messages: each is published to the listeners and logged.
import type { VisitorLocale } from '../../protocol/headers.ts';
import type { Feedback, Payload } from '../../protocol/message.ts';
import { type Part, type PartChange, textOfBlocks } from '../../protocol/parts.ts';
import { ApiError } from '../api/errors.ts';
import { textOfPayload } from '../api/message-text.ts';
import { createPartList } from '../api/part-list.ts';
import { messageUpdatedSignal } from '../realtime/event-replay.ts';
import type { ConversationRow } from '../storage/chat/conversations.ts';
import { type MessageRow, setFeedback, setParts, setPayload } from '../storage/chat/messages.ts';
import type { UserRow } from '../storage/chat/users.ts';
import type { WriteTx } from '../storage/database.ts';
import { forgetBadAnswer, noteBadAnswer } from '../storage/inbox/reports.ts';
import { indexTexts, isIndexed } from '../storage/inbox/searched-texts.ts';
import type { ConversationLog } from './conversation-log.ts';
import type { Handlings } from './handling/handlings-interface.ts';

type Log = Pick<ConversationLog, 'incrementSequence' | 'appendSignal' | 'enqueueDelivery'>;

/** A changed message, and the place of the change in the conversation. */
export interface ChangedMessage {
  row: MessageRow;
  seq: number;
  at: number;
}

/** Stores a changed message, and tells of it. Returns it with the time of the change. */
async function change(
  tx: WriteTx,
  { incrementSequence, appendSignal }: Log,
  conversation: ConversationRow,
  changed: MessageRow,
  store: (at: number) => Promise<void>,
): Promise<ChangedMessage & { hasHandling: number }> {
  const { seq, at, hasHandling } = await incrementSequence(tx, conversation);
  const row: MessageRow = { ...changed, updatedAt: at };
  await store(at);
  await appendSignal(tx, conversation, seq, messageUpdatedSignal(row, conversation), row.id);
  return { row, seq, at, hasHandling };
}

/** Replaces the parts (JSON) of a message. */
export function storeParts(
  tx: WriteTx,
  log: Log,
  conversation: ConversationRow,
  message: MessageRow,
  parts: string,
): Promise<ChangedMessage> {
  return change(tx, log, conversation, { ...message, parts }, (at) => setParts(tx, message.id, parts, at));
}

export interface MessageChanges {
  /** Replaces the payload of a message and returns the changed message. The bot receives no event. */
  changePayload(
    tx: WriteTx,
    conversation: ConversationRow,
    message: MessageRow,
    payload: Payload,
  ): Promise<MessageRow>;
  /** Replaces the parts of a message and returns the changed message. The bot receives no event. */
  changeParts(
    tx: WriteTx,
    conversation: ConversationRow,
    message: MessageRow,
    parts: readonly Part[],
  ): Promise<MessageRow>;
  /**
   * Stores the feedback of `user` on a message of the bot, undefined to remove it, and returns the changed message.
   * Publishes and queues nothing when the feedback is unchanged.
   */
  setFeedback(
    tx: WriteTx,
    conversation: ConversationRow,
    message: MessageRow,
    user: UserRow,
    feedback: Feedback | undefined,
    locale: VisitorLocale | undefined,
  ): Promise<MessageRow>;
}

/** The payload (JSON) of a message of blocks only, whose text describes them, after a change; undefined if it stays as it is. */
function payloadAfter(message: MessageRow, parts: readonly Part[]): string | undefined {
  const before = textOfBlocks(JSON.parse(message.parts ?? '[]') as Part[]);
  const after = textOfBlocks(parts);
  if (before === '' || before === after) return undefined;
  const { type, text } = JSON.parse(message.payload) as { type: string; text?: unknown };
  return type === 'text' && text === before ? JSON.stringify({ type, text: after }) : undefined;
}

/** Replaces the words of a changed message, unless the index has not come to it yet. */
async function reindex(
  tx: WriteTx,
  { id, conversationId, seq, payload, createdAt }: MessageRow,
): Promise<void> {
  if (!(await isIndexed(tx, id))) return;
  const text = { textId: id, isNote: false, seq, createdAt, text: textOfPayload(payload) };
  await indexTexts(tx, conversationId, [text]);
}

export function createMessageChanges(log: Log, handlings: Pick<Handlings, 'afterChange'>): MessageChanges {
  /** Replaces the payload (JSON) of a message, and other columns with it. */
  async function replacePayload(
    tx: WriteTx,
    conversation: ConversationRow,
    message: MessageRow,
    storeMore: (at: number) => Promise<void> = async () => {},
  ): Promise<MessageRow> {
    const { row, ...place } = await change(tx, log, conversation, message, async (at) => {
      await storeMore(at);
      await setPayload(tx, message.id, message.payload, at);
      await reindex(tx, message);
    });
    if (place.hasHandling === 1)
      await handlings.afterChange(tx, conversation.id, place, { changedMessageId: message.id });
    return row;
  }

  return {
    changePayload: (tx, conversation, message, payload) =>
      replacePayload(tx, conversation, { ...message, payload: JSON.stringify(payload) }),

    async changeParts(tx, conversation, message, changed) {
      const parts = JSON.stringify(changed);
      const payload = payloadAfter(message, changed);
      if (payload === undefined) return (await storeParts(tx, log, conversation, message, parts)).row;
      return replacePayload(tx, conversation, { ...message, parts, payload }, (at) =>
        setParts(tx, message.id, parts, at),
      );
    },

    async setFeedback(tx, conversation, message, user, feedback, locale: VisitorLocale | undefined) {
      const text = feedback ? JSON.stringify(feedback) : null;
      if (text === message.feedback) return message;
      const row: MessageRow = { ...message, feedback: text };
      await setFeedback(tx, message.id, text);
      const { seq, at } = await log.incrementSequence(tx, conversation);
      await log.appendSignal(tx, conversation, seq, messageUpdatedSignal(row, conversation), row.id);
      // Feedback on a message of a person says nothing about the bot.
      if (feedback?.value === 'negative' && row.author === null)
        await noteBadAnswer(tx, row, conversation.botId, at);
      else await forgetBadAnswer(tx, row);
      const cause = { conversationId: conversation.id, seq, userId: user.id, createdAt: at };
      const data = JSON.stringify(feedback ?? { value: 'none' });
      await log.enqueueDelivery(tx, cause, { kind: 'feedback', ref: row.id, data }, locale);
      return row;
    },
  };
}

/**
 * Changes a part of a message, and returns the message. The conversation must be locked. Throws ResourceNotFound, and the errors
 * of `PartList.apply`.
 */
export async function updatePart(
  tx: WriteTx,
  transcript: Pick<MessageChanges, 'changeParts'>,
  conversation: ConversationRow,
  message: MessageRow,
  change: PartChange,
): Promise<MessageRow> {
  const list = createPartList(JSON.parse(message.parts ?? '[]') as Part[]);
  if (!list.parts.some(({ id }) => id === change.id))
    throw new ApiError('ResourceNotFound', 'The message has no part of this id.');
  if (!list.apply(change)) return message;
  return transcript.changeParts(tx, conversation, message, list.parts);
}
