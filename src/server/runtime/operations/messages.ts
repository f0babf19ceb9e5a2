// Operations of a bot on messages and custom events: send and read all, delete its own messages.
import { limits } from '../../../protocol/limits.ts';
import { messages } from '../../../protocol/operations/runtime/messages.ts';
import { decodeCursor, isWhole } from '../../api/cursor.ts';
import { ApiError } from '../../api/errors.ts';
import { readPage } from '../../api/page.ts';
import { assertMessageSize, assertSize } from '../../api/payload-size.ts';
import { serializeEvent, serializeMessage } from '../../api/serializers.ts';
import { canonicalPayload } from '../../chat/index.ts';
import { conversationById } from '../../storage/chat/conversations.ts';
import { findEvent } from '../../storage/chat/events.ts';
import { listMessages, type MessageRow } from '../../storage/chat/messages.ts';
import { participantRef } from './conversations.ts';
import { ownBot, ownConversation, ownMessage } from './find.ts';
import { handle } from './services.ts';

export const messageHandlers = [
  handle(
    messages.createMessage,
    async ({ tx, caller, input: { conversationId, ...content }, services: { transcript, presence } }) => {
      assertMessageSize(content);
      const conversation = await ownConversation(tx, caller, conversationId);
      const { userId } = await ownBot(tx, caller);
      const author = { id: userId, foreignId: null, isBot: true };
      const message = await transcript.addMessage(tx, conversation, author, content);
      tx.afterCommit(() => presence.setTyping(participantRef(conversation, userId), false, 0));
      return {
        body: { message: serializeMessage(message, conversation.id, message.userId) },
        resource: message.id,
      };
    },
    {
      normalizeBody: withCanonicalPayload,
    },
  ),

  handle(messages.listMessages, async ({ tx, caller, input }) => {
    const conversation = await ownConversation(tx, caller, input.conversationId);
    const { rows, meta } = await readPage({
      kind: 'bot messages',
      size: input.pageSize ?? limits.pageSize,
      after: decodeCursor('bot messages', input.nextToken, isWhole),
      sortKey: (row: MessageRow) => row.seq,
      weigh: ({ payload, metadata }) => payload.length + (metadata?.length ?? 0),
      read: (before, limit) => listMessages(tx, conversation.id, before, limit),
    });
    return {
      body: { messages: rows.map((row) => serializeMessage(row, conversation.id, row.userId)), meta },
    };
  }),

  handle(messages.getMessage, async ({ tx, caller, params }) => {
    const { message, conversation } = await ownMessage(tx, caller, params.id);
    return { body: { message: serializeMessage(message, conversation.id, message.userId) } };
  }),

  handle(messages.deleteMessage, async ({ tx, caller, params, services: { transcript } }) => {
    const { message, conversation } = await ownMessage(tx, caller, params.id);
    if (message.isBot !== 1) {
      throw new ApiError('Forbidden', 'Only the author can delete a message.');
    }
    await transcript.removeMessage(tx, conversation, message);
    return { body: {} };
  }),

  handle(
    messages.createEvent,
    async ({ tx, caller, input: { conversationId, payload }, services: { transcript } }) => {
      assertSize('payload', payload);
      const conversation = await ownConversation(tx, caller, conversationId);
      const { userId } = await ownBot(tx, caller);
      const author = { id: userId, foreignId: null, isBot: true };
      const event = await transcript.addEvent(tx, conversation, author, payload);
      return { body: { event: serializeEvent(event, conversation.id, event.userId) }, resource: event.id };
    },
  ),

  handle(messages.getEvent, async ({ tx, caller, params: { id } }) => {
    const event = await findEvent(tx, id);
    const conversation = event && (await conversationById(tx, event.conversationId));
    if (!event || conversation?.botId !== caller.botId) {
      throw new ApiError('ResourceNotFound', 'The event does not exist.');
    }
    return { body: { event: serializeEvent(event, conversation.id, event.userId) } };
  }),
];

/** Returns the body with its payload in canonical form. */
export function withCanonicalPayload(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'payload' in body
    ? { ...body, payload: canonicalPayload(body.payload) }
    : body;
}
