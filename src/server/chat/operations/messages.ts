// Operations on messages: said and read by who takes part, deleted by who said it.
import * as v from 'valibot';
import { limits } from '../../../protocol/limits.ts';
import { cutPage, decodeCursor, isWhole } from '../../api/cursor.ts';
import { ApiError } from '../../api/errors.ts';
import { assertSize } from '../../api/payload-size.ts';
import { schemas } from '../../api/schemas.ts';
import { toMessage } from '../../api/serializers.ts';
import { reading, writing } from '../../operations/operation.ts';
import { listMessages } from '../../storage/chat/messages.ts';
import { publicId } from '../../storage/ids.ts';
import { canonicalPayload } from '../canonical-payload.ts';
import { existing, existingMessage, joined, participating, sendersOf } from './access.ts';
import { placeOf, typingTimeout } from './presence.ts';

const response = v.object({ message: schemas.message });

export const messages = [
  writing({
    id: 'createMessage',
    method: 'POST',
    path: '/messages',
    summary:
      'Says something in a conversation. All listeners hear it, the sender too, perhaps before this answer.',
    auth: 'user',
    quota: 'messages',
    errors: ['Forbidden', 'QuotaExceeded'],
    status: 201,
    body: v.object({
      payload: schemas.payload,
      conversationId: schemas.id,
      metadata: v.exactOptional(schemas.data),
    }),
    prepare: (body) => (hasPayload(body) ? { ...body, payload: canonicalPayload(body.payload) } : body),
    response,
    async run({
      tx,
      caller,
      quota,
      body: { conversationId, ...content },
      services: { transcript, presence },
    }) {
      const bytes = assertSize('payload', content.payload) + assertSize('metadata', content.metadata);
      const conversation = await joined(tx, conversationId, caller);
      await quota.send(tx, 'message', sendersOf(caller, conversation), bytes);
      const author = { ...caller.user, isBot: false };
      const message = await transcript.addMessage(tx, conversation, author, content);
      tx.afterCommit(() => presence.setTyping(placeOf(conversation, caller), false, typingTimeout));
      return { body: { message: toMessage(message, conversationId, caller.id) }, resource: message.id };
    },
  }),

  reading({
    id: 'listMessages',
    method: 'GET',
    path: '/conversations/{conversationId}/messages',
    summary: 'Lists the messages of a conversation, newest first.',
    auth: 'user',
    errors: ['Forbidden', 'InvalidQuery'],
    status: 200,
    query: schemas.page,
    response: v.object({ messages: v.array(schemas.message), meta: schemas.meta }),
    async run({ tx, caller, params: { conversationId = '' }, query }) {
      const conversation = await joined(tx, conversationId, caller);
      const before = decodeCursor('messages', query.nextToken, isWhole);
      const found = await listMessages(tx, conversation.id, before, limits.pageSize + 1);
      const { rows, meta } = cutPage('messages', found, limits.pageSize, (row) => row.seq);
      return { body: { messages: rows.map((row) => toMessage(row, conversationId)), meta } };
    },
  }),

  reading({
    id: 'getMessage',
    method: 'GET',
    path: '/messages/{id}',
    summary: 'Gives a message of a conversation that the caller takes part in.',
    auth: 'user',
    errors: ['Forbidden', 'ResourceNotFound'],
    status: 200,
    response,
    async run({ tx, caller, params: { id = '' } }) {
      const message = await existingMessage(tx, id);
      const conversation = await participating(tx, message.conversationId, caller);
      return { body: { message: toMessage(message, publicId(conversation)) } };
    },
  }),

  writing({
    id: 'deleteMessage',
    method: 'DELETE',
    path: '/messages/{id}',
    summary: 'Deletes a message that the caller said.',
    auth: 'user',
    errors: ['Forbidden', 'ResourceNotFound'],
    status: 200,
    response: schemas.nothing,
    async run({ tx, caller, params: { id = '' }, services: { transcript } }) {
      const message = await existingMessage(tx, id);
      if (message.userId !== caller.user.id) {
        throw new ApiError('Forbidden', 'Only who said a message may delete it.');
      }
      await transcript.removeMessage(
        tx,
        await existing(tx, caller.user.botId, message.conversationId),
        message,
      );
      return { body: {} };
    },
  }),
];

function hasPayload(body: unknown): body is { payload: unknown } {
  return typeof body === 'object' && body !== null && 'payload' in body;
}
