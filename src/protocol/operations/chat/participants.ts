// Operations of the Chat API: participants.
import * as v from 'valibot';
import { schemas } from '../../schemas/chat.ts';
import { mutation, operations, query } from '../operation.ts';

const response = v.object({ participant: schemas.user });

export const participants = operations({
  addParticipant: mutation({
    route: 'POST /conversations/{conversationId}/participants',
    summary:
      'Invites a user to a conversation. The user becomes a participant after accepting the invitation. The ' +
      'response contains the id and the time of the invitation, whether or not the user exists; for a user who ' +
      'already is a participant, it contains their profile. Inviting again changes nothing. If the server adds ' +
      'participants directly, the user becomes a participant immediately.',
    auth: 'user',
    limitedKeys: false,
    errors: ['Forbidden', 'ResourceNotFound', 'QuotaExceeded'],
    // An id of another format cannot exist.
    input: v.object({ userId: schemas.foreignUserId }),
    output: response,
    examples: [{ conversationId: '<<conversation>>', userId: '<<other>>' }],
  }),

  listParticipants: query({
    route: 'GET /conversations/{conversationId}/participants',
    isHeavy: true,
    summary: 'Lists the participants of a conversation. Invited users are not participants yet.',
    auth: 'user',
    limitedKeys: true,
    errors: ['Forbidden', 'InvalidQuery'],
    input: schemas.page,
    output: v.object({ participants: v.array(schemas.user), meta: schemas.meta }),
    examples: [{ conversationId: '<<conversation>>' }],
  }),

  getParticipant: query({
    route: 'GET /conversations/{conversationId}/participants/{userId}',
    summary: 'Returns one participant of a conversation of the caller.',
    auth: 'user',
    limitedKeys: false,
    errors: ['Forbidden', 'ResourceNotFound'],
    output: response,
    examples: [{ conversationId: '<<conversation>>', userId: '<<other>>' }],
  }),

  removeParticipant: mutation({
    route: 'DELETE /conversations/{conversationId}/participants/{userId}',
    summary:
      'Removes a participant from a conversation of the caller, or withdraws an invitation. A participant may remove ' +
      'themselves. Open streams of that user in this conversation are closed.',
    auth: 'user',
    limitedKeys: false,
    errors: ['InvalidPayload', 'Forbidden', 'ResourceNotFound'],
    output: schemas.nothing,
    examples: [{ conversationId: '<<conversation>>', userId: '<<other>>' }],
  }),
});
