// Operations of a bot on messages and custom events: it says them, reads what was said, and takes back its own.
import * as v from 'valibot';
import { limits } from '../../../protocol/limits.ts';
import { cutPage, decodeCursor, isWhole } from '../../api/cursor.ts';
import { ApiError } from '../../api/errors.ts';
import { assertSize } from '../../api/payload-size.ts';
import { schemas } from '../../api/schemas.ts';
import { toEvent, toMessage } from '../../api/serializers.ts';
import { canonicalPayload } from '../../chat/index.ts';
import { reading, writing } from '../../operations/operation.ts';
import { conversationById } from '../../storage/chat/conversations.ts';
import { findEvent } from '../../storage/chat/events.ts';
import { listMessages } from '../../storage/chat/messages.ts';
import { placeOf } from './conversations.ts';
import { ownBot, ownConversation, ownMessage } from './find.ts';

const response = v.object({ message: schemas.message });

export const messages = [
  writing({
    id: 'createBotMessage',
    method: 'POST',
    path: '/messages',
    summary:
      'Sends a message of the bot. With an `Idempotency-Key` it is sent once, however often it is asked.',
    auth: 'bot',
    permission: 'chat.write',
    errors: ['ResourceNotFound'],
    status: 201,
    body: v.object({
      payload: schemas.payload,
      conversationId: schemas.id,
      metadata: v.exactOptional(schemas.data),
    }),
    prepare: withCanonicalPayload,
    response,
    async run({ tx, caller, body: { conversationId, ...content }, services: { transcript, presence } }) {
      assertSize('payload', content.payload);
      assertSize('metadata', content.metadata);
      const conversation = await ownConversation(tx, caller, conversationId);
      const { userId } = await ownBot(tx, caller);
      const author = { id: userId, foreignId: null, isBot: true };
      const message = await transcript.addMessage(tx, conversation, author, content);
      tx.afterCommit(() => presence.setTyping(placeOf(conversation, userId), false, 0));
      return { body: { message: toMessage(message, conversation.id, message.userId) }, resource: message.id };
    },
  }),

  reading({
    id: 'listBotMessages',
    method: 'GET',
    path: '/messages',
    summary: 'Lists the messages of a conversation, newest first.',
    auth: 'bot',
    permission: 'chat.read',
    errors: ['InvalidQuery', 'ResourceNotFound'],
    status: 200,
    query: v.object({ ...schemas.sizedPage, conversationId: schemas.id }),
    response: v.object({ messages: v.array(schemas.message), meta: schemas.meta }),
    async run({ tx, caller, query }) {
      const conversation = await ownConversation(tx, caller, query.conversationId);
      const before = decodeCursor('bot messages', query.nextToken, isWhole);
      const size = query.pageSize ?? limits.pageSize;
      const found = await listMessages(tx, conversation.id, before, size + 1);
      const { rows, meta } = cutPage('bot messages', found, size, (row) => row.seq);
      return { body: { messages: rows.map((row) => toMessage(row, conversation.id, row.userId)), meta } };
    },
  }),

  reading({
    id: 'getBotMessage',
    method: 'GET',
    path: '/messages/{id}',
    summary: 'Gives a message of a conversation of the bot.',
    auth: 'bot',
    permission: 'chat.read',
    errors: ['ResourceNotFound'],
    status: 200,
    response,
    async run({ tx, caller, params }) {
      const { message, conversation } = await ownMessage(tx, caller, params.id);
      return { body: { message: toMessage(message, conversation.id, message.userId) } };
    },
  }),

  writing({
    id: 'deleteBotMessage',
    method: 'DELETE',
    path: '/messages/{id}',
    summary: 'Deletes a message that the bot sent.',
    auth: 'bot',
    permission: 'chat.write',
    errors: ['ResourceNotFound'],
    status: 200,
    response: schemas.nothing,
    async run({ tx, caller, params, services: { transcript } }) {
      const { message, conversation } = await ownMessage(tx, caller, params.id);
      if (message.isBot !== 1) {
        throw new ApiError('Forbidden', 'Only who said a message may delete it.');
      }
      await transcript.removeMessage(tx, conversation, message);
      return { body: {} };
    },
  }),

  writing({
    id: 'createBotEvent',
    method: 'POST',
    path: '/events',
    summary: 'Sends a custom event of the bot to the page. With an `Idempotency-Key` it is sent once.',
    auth: 'bot',
    permission: 'chat.write',
    errors: ['ResourceNotFound'],
    status: 201,
    body: v.object({ payload: schemas.data, conversationId: schemas.id }),
    response: v.object({ event: schemas.event }),
    async run({ tx, caller, body: { conversationId, payload }, services: { transcript } }) {
      assertSize('payload', payload);
      const conversation = await ownConversation(tx, caller, conversationId);
      const { userId } = await ownBot(tx, caller);
      const author = { id: userId, foreignId: null, isBot: true };
      const event = await transcript.addEvent(tx, conversation, author, payload);
      return { body: { event: toEvent(event, conversation.id, event.userId) }, resource: event.id };
    },
  }),

  reading({
    id: 'getBotEvent',
    method: 'GET',
    path: '/events/{id}',
    summary: 'Gives a custom event of a conversation of the bot.',
    auth: 'bot',
    permission: 'chat.read',
    errors: ['ResourceNotFound'],
    status: 200,
    response: v.object({ event: schemas.event }),
    async run({ tx, caller, params: { id = '' } }) {
      const event = await findEvent(tx, id);
      const conversation = event && (await conversationById(tx, event.conversationId));
      if (!event || conversation?.botId !== caller.botId) {
        throw new ApiError('ResourceNotFound', 'The event does not exist.');
      }
      return { body: { event: toEvent(event, conversation.id, event.userId) } };
    },
  }),
];

/** A body whose payload is in its stored spelling. */
export function withCanonicalPayload(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'payload' in body
    ? { ...body, payload: canonicalPayload(body.payload) }
    : body;
}
