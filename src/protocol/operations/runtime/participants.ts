// Operations of the Runtime API: participants.
import * as v from 'valibot';
import { schemas } from '../../schemas/chat.ts';
import { runtimeSchemas } from '../../schemas/runtime.ts';
import { mutation, operations, query } from '../operation.ts';

const response = v.object({ participant: runtimeSchemas.user });

export const participants = operations({
  listParticipants: query({
    id: 'listBotParticipants',
    route: 'GET /conversations/{id}/participants',
    isHeavy: true,
    summary: 'Lists the participants of a conversation, newest user first.',
    auth: 'bot',
    permission: 'chat.read',
    errors: ['InvalidQuery', 'ResourceNotFound'],
    input: v.object(schemas.sizedPage),
    output: v.object({ participants: v.array(runtimeSchemas.user), meta: schemas.meta }),
    examples: [{ id: '<<conversation>>', pageSize: 2 }],
  }),

  addParticipant: mutation({
    id: 'addBotParticipant',
    route: 'POST /conversations/{id}/participants',
    summary:
      'Adds a user of the bot to a conversation immediately, without an invitation. Adding a participant again ' +
      'changes nothing.',
    auth: 'bot',
    permission: 'chat.write',
    errors: ['ResourceNotFound'],
    input: v.object({ userId: schemas.id }),
    output: response,
    examples: [{ id: '<<conversation>>', userId: '<<other>>' }],
  }),

  getParticipant: query({
    id: 'getBotParticipant',
    route: 'GET /conversations/{id}/participants/{userId}',
    summary: 'Returns one participant of a conversation.',
    auth: 'bot',
    permission: 'chat.read',
    errors: ['ResourceNotFound'],
    output: response,
    examples: [{ id: '<<conversation>>', userId: '<<other>>' }],
  }),

  removeParticipant: mutation({
    id: 'removeBotParticipant',
    route: 'DELETE /conversations/{id}/participants/{userId}',
    summary:
      'Removes a participant who is not the owner of the conversation; their open streams of this conversation are closed.',
    auth: 'bot',
    permission: 'chat.write',
    errors: ['InvalidPayload', 'ResourceNotFound'],
    output: schemas.nothing,
    examples: [{ id: '<<conversation>>', userId: '<<other>>' }],
  }),
});
