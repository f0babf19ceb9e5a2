// Operations on invitations, for the invited: they see them, accept and decline.
import * as v from 'valibot';
import { limits } from '../../../protocol/limits.ts';
import { cutPage, decodeCursor, isText } from '../../api/cursor.ts';
import { ApiError } from '../../api/errors.ts';
import { schemas } from '../../api/schemas.ts';
import { toConversation, toInvitation } from '../../api/serializers.ts';
import type { Caller } from '../../auth/caller.ts';
import { reading, writing } from '../../operations/operation.ts';
import { type ConversationRow, findConversation } from '../../storage/chat/conversations.ts';
import { closeInvitationsTo, isInvited, listInvitations } from '../../storage/chat/invitations.ts';
import { isParticipant } from '../../storage/chat/participants.ts';
import type { Tx } from '../../storage/database.ts';

export const invitations = [
  reading({
    id: 'listInvitations',
    method: 'GET',
    path: '/invitations',
    summary: 'Lists the open invitations of the caller, newest conversation first.',
    auth: 'user',
    errors: ['InvalidQuery'],
    status: 200,
    query: schemas.page,
    response: v.object({ invitations: v.array(schemas.invitation), meta: schemas.meta }),
    async run({ tx, caller, query, services }) {
      const before = decodeCursor('invitations', query.nextToken, isText);
      const found = await listInvitations(tx, caller.user, before, limits.pageSize + 1, services.now());
      const { rows, meta } = cutPage('invitations', found, limits.pageSize, (row) => row.id);
      return { body: { invitations: rows.map(toInvitation), meta } };
    },
  }),

  writing({
    id: 'acceptInvitation',
    method: 'POST',
    path: '/invitations/{conversationId}',
    summary:
      'Accepts an invitation: the caller takes part in the conversation. Accepting twice changes nothing.',
    auth: 'user',
    errors: ['ResourceNotFound'],
    status: 200,
    response: v.object({ conversation: schemas.conversation }),
    async run({ tx, caller, params: { conversationId = '' }, services: { transcript, now } }) {
      const conversation = await findConversation(tx, caller.user.botId, conversationId);
      if (!conversation || !(await isParticipant(tx, conversation.id, caller.user.id))) {
        await transcript.addParticipant(tx, await invitedTo(tx, conversation, caller, now()), caller.user);
      }
      // Read again: that somebody was added has changed its time.
      const accepted = await findConversation(tx, caller.user.botId, conversationId);
      if (!accepted) throw notInvited();
      return { body: { conversation: toConversation(accepted, conversationId) }, resource: accepted.id };
    },
  }),

  writing({
    id: 'declineInvitation',
    method: 'DELETE',
    path: '/invitations/{conversationId}',
    summary: 'Declines an invitation. The owner of the conversation is not told, and sees no difference.',
    auth: 'user',
    errors: ['ResourceNotFound'],
    status: 200,
    response: schemas.nothing,
    async run({ tx, caller, params: { conversationId = '' }, services: { now } }) {
      const found = await findConversation(tx, caller.user.botId, conversationId);
      const conversation = await invitedTo(tx, found, caller, now());
      await closeInvitationsTo(tx, conversation.id, caller.user);
      return { body: {} };
    },
  }),
];

/** The conversation, to which the caller has an open invitation. The refusal does not tell whether it exists. */
async function invitedTo(
  tx: Tx,
  conversation: ConversationRow | undefined,
  { user }: Caller,
  now: number,
): Promise<ConversationRow> {
  if (!conversation || !(await isInvited(tx, conversation.id, user, now))) throw notInvited();
  return conversation;
}

function notInvited(): ApiError {
  return new ApiError('ResourceNotFound', 'You have no open invitation to this conversation.');
}
