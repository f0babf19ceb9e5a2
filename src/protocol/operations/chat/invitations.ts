// Operations of the Chat API: invitations.
import * as v from 'valibot';
import { schemas } from '../../schemas/chat.ts';
import { mutation, operations, query } from '../operation.ts';

export const invitations = operations({
  listInvitations: query({
    route: 'GET /invitations',
    summary: 'Lists the open invitations of the caller, newest conversation first.',
    auth: 'user',
    limitedKeys: false,
    errors: ['InvalidQuery'],
    input: schemas.page,
    output: v.object({ invitations: v.array(schemas.invitation), meta: schemas.meta }),
  }),

  acceptInvitation: mutation({
    route: 'POST /invitations/{conversationId}',
    summary:
      'Accepts an invitation: the caller becomes a participant of the conversation. Accepting again changes ' +
      'nothing.',
    auth: 'user',
    limitedKeys: false,
    errors: ['ResourceNotFound'],
    output: v.object({ conversation: schemas.conversation }),
    examples: [{ conversationId: '<<conversation>>' }],
  }),

  declineInvitation: mutation({
    route: 'DELETE /invitations/{conversationId}',
    summary: 'Declines an invitation. The owner of the conversation is not notified.',
    auth: 'user',
    limitedKeys: false,
    errors: ['ResourceNotFound'],
    output: schemas.nothing,
    examples: [{ conversationId: '<<invitation>>' }],
  }),
});
