// Operations on conversations: made and deleted by their owner, seen by who takes part.
import * as v from 'valibot';
import { limits } from '../../../protocol/limits.ts';
import { cutPage, decodeCursor, isText } from '../../api/cursor.ts';
import { ApiError } from '../../api/errors.ts';
import { schemas } from '../../api/schemas.ts';
import { toConversation } from '../../api/serializers.ts';
import { listening, reading, writing } from '../../operations/operation.ts';
import { findConversation, listOwned } from '../../storage/chat/conversations.ts';
import { joined, owned, participating } from './access.ts';

const response = v.object({ conversation: schemas.conversation });

export const conversations = [
  writing({
    id: 'createConversation',
    method: 'POST',
    path: '/conversations',
    summary: 'Creates a conversation; the caller becomes its owner and participant.',
    auth: 'user',
    quota: 'conversations',
    errors: ['AlreadyExists'],
    status: 201,
    body: v.object({ id: v.exactOptional(schemas.foreignId) }),
    response,
    async run({ tx, caller, quota, body: { id = null }, services: { transcript } }) {
      // Also the server ids: a foreign id that spells one would catch the requests meant for that conversation.
      if (id !== null && (await findConversation(tx, caller.user.botId, id))) {
        throw new ApiError('AlreadyExists', 'A conversation with this id exists already.');
      }
      quota.create('conversations');
      const conversation = await transcript.createConversation(tx, caller.user, id);
      return { body: { conversation: toConversation(conversation) }, resource: conversation.id };
    },
  }),

  reading({
    id: 'listConversations',
    method: 'GET',
    path: '/conversations',
    summary: 'Lists the conversations that the caller owns, newest first.',
    auth: 'user',
    errors: ['InvalidQuery'],
    status: 200,
    query: schemas.page,
    response: v.object({ conversations: v.array(schemas.conversation), meta: schemas.meta }),
    async run({ tx, caller, query }) {
      const before = decodeCursor('conversations', query.nextToken, isText);
      const found = await listOwned(tx, caller.user.id, before, limits.pageSize + 1);
      const { rows, meta } = cutPage('conversations', found, limits.pageSize, (row) => row.id);
      return { body: { conversations: rows.map((row) => toConversation(row)), meta } };
    },
  }),

  writing({
    id: 'getOrCreateConversation',
    method: 'POST',
    path: '/conversations/get-or-create',
    summary: 'Gives the conversation with this id, made if need be; refused when another user owns it.',
    auth: 'user',
    errors: ['Forbidden'],
    status: 201,
    body: v.object({ id: schemas.foreignId }),
    response,
    async run({ tx, caller, quota, body: { id }, services: { transcript } }) {
      if (await findConversation(tx, caller.user.botId, id)) {
        return { body: { conversation: toConversation(await owned(tx, id, caller), id) } };
      }
      quota.create('conversations');
      const conversation = await transcript.createConversation(tx, caller.user, id);
      return { body: { conversation: toConversation(conversation, id) }, resource: conversation.id };
    },
  }),

  reading({
    id: 'getConversation',
    method: 'GET',
    path: '/conversations/{id}',
    summary: 'Gives a conversation that the caller takes part in.',
    auth: 'user',
    errors: ['Forbidden', 'ResourceNotFound'],
    status: 200,
    response,
    async run({ tx, caller, params: { id = '' } }) {
      return { body: { conversation: toConversation(await participating(tx, id, caller), id) } };
    },
  }),

  writing({
    id: 'deleteConversation',
    method: 'DELETE',
    path: '/conversations/{id}',
    summary: 'Deletes a conversation with all it holds; open streams of it are closed.',
    auth: 'user',
    errors: ['Forbidden', 'ResourceNotFound'],
    status: 200,
    response: schemas.nothing,
    async run({ tx, caller, params: { id = '' }, services: { transcript } }) {
      await transcript.removeConversation(tx, await owned(tx, id, caller));
      return { body: {} };
    },
  }),

  listening({
    id: 'listenConversation',
    method: 'GET',
    path: '/conversations/{id}/listen',
    summary:
      'Streams the signals of a conversation as server-sent events. Send the id of the last frame as ' +
      'Last-Event-ID to continue there: the answer repeats it when nothing was missed, else list the messages.',
    auth: 'user',
    errors: ['Forbidden'],
    status: 200,
    run: async ({ tx, caller, params: { id = '' } }) => joined(tx, id, caller),
  }),
];
