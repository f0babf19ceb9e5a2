// Operations on participants: the owner invites and removes, everybody who takes part sees the list.
import * as v from 'valibot';
import { limits } from '../../protocol/limits.ts';
import { cutPage, decodeCursor, isText } from '../cursor.ts';
import { isParticipant, listParticipants } from '../db/participants.ts';
import { ApiError } from '../errors.ts';
import { reading, writing } from '../operation.ts';
import { schemas } from '../schemas.ts';
import { toUser } from '../wire.ts';
import { existingUser, joined, owned } from './access.ts';

const response = v.object({ participant: schemas.user });

export const participants = [
  writing({
    id: 'addParticipant',
    method: 'POST',
    path: '/conversations/{conversationId}/participants',
    summary: 'Adds a user to a conversation; adding one who already takes part changes nothing.',
    auth: 'user',
    errors: ['Forbidden', 'ResourceNotFound'],
    status: 200,
    body: v.object({ userId: schemas.id }),
    response,
    async run({ tx, caller, params: { conversationId = '' }, body, services: { transcript } }) {
      const conversation = await owned(tx, conversationId, caller);
      const user = await existingUser(tx, conversation.botId, body.userId);
      await transcript.addParticipant(tx, conversation, user);
      return { body: { participant: toUser(user, body.userId) }, resource: user.id };
    },
  }),

  reading({
    id: 'listParticipants',
    method: 'GET',
    path: '/conversations/{conversationId}/participants',
    summary: 'Lists the users who take part in a conversation.',
    auth: 'user',
    errors: ['Forbidden', 'InvalidQuery'],
    status: 200,
    query: schemas.page,
    response: v.object({ participants: v.array(schemas.user), meta: schemas.meta }),
    async run({ tx, caller, params: { conversationId = '' }, query }) {
      const conversation = await joined(tx, conversationId, caller);
      const before = decodeCursor('participants', query.nextToken, isText);
      const found = await listParticipants(tx, conversation.id, before, limits.pageSize + 1);
      const { rows, meta } = cutPage('participants', found, limits.pageSize, (row) => row.id);
      return { body: { participants: rows.map((row) => toUser(row)), meta } };
    },
  }),

  reading({
    id: 'getParticipant',
    method: 'GET',
    path: '/conversations/{conversationId}/participants/{userId}',
    summary: 'Gives one user who takes part in a conversation of the caller.',
    auth: 'user',
    errors: ['Forbidden', 'ResourceNotFound'],
    status: 200,
    response,
    async run({ tx, caller, params: { conversationId = '', userId = '' } }) {
      const conversation = await owned(tx, conversationId, caller);
      const user = await existingUser(tx, conversation.botId, userId);
      if (!(await isParticipant(tx, conversation.id, user.id))) throw notParticipant();
      return { body: { participant: toUser(user, userId) } };
    },
  }),

  writing({
    id: 'removeParticipant',
    method: 'DELETE',
    path: '/conversations/{conversationId}/participants/{userId}',
    summary: 'Removes a participant from a conversation; all open streams of that user are closed.',
    auth: 'user',
    errors: ['InvalidPayload', 'Forbidden', 'ResourceNotFound'],
    status: 200,
    response: schemas.nothing,
    async run({ tx, caller, params: { conversationId = '', userId = '' }, services: { transcript } }) {
      const conversation = await owned(tx, conversationId, caller);
      const user = await existingUser(tx, conversation.botId, userId);
      if (user.id === conversation.ownerId) {
        throw new ApiError('InvalidPayload', 'The owner cannot be removed from the conversation.');
      }
      if (!(await transcript.removeParticipant(tx, conversation, user))) throw notParticipant();
      return { body: {} };
    },
  }),
];

function notParticipant(): ApiError {
  return new ApiError('ResourceNotFound', 'The user is not a participant of this conversation.');
}
