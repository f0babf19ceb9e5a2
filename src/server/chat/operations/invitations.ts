// Operations of invited users on invitations: list, accept and decline.
import { limits } from '../../../protocol/limits.ts';
import { invitations } from '../../../protocol/operations/chat/conversations.ts';
import type { Caller } from '../../api/caller.ts';
import { ApiError } from '../../api/errors.ts';
import { cutPage, decodeCursor, isText } from '../../api/pages.ts';
import { type ConversationRow, findConversation } from '../../storage/chat/conversations.ts';
import { closeInvitationsTo, isInvited, listInvitations } from '../../storage/chat/invitations.ts';
import { isParticipant } from '../../storage/chat/participants.ts';
import type { Tx, WriteTx } from '../../storage/database.ts';
import { serializeConversation, serializeInvitation } from '../serializers.ts';
import { handle } from './services.ts';

export const invitationHandlers = [
  handle(invitations.listInvitations, async ({ tx, caller, input, services }) => {
    const before = decodeCursor('invitations', input.nextToken, isText);
    const found = await listInvitations(tx, caller.user, before, limits.pageSize + 1, services.now());
    const { rows, meta } = cutPage('invitations', found, limits.pageSize, (row) => row.id);
    return { body: { invitations: rows.map(serializeInvitation), meta } };
  }),

  handle(
    invitations.acceptInvitation,
    async ({ tx, caller, params: { conversationId }, services: { transcript, now } }) => {
      const conversation = await heldIfAny(tx, caller, conversationId);
      if (!conversation || !(await isParticipant(tx, conversation.id, caller.user.id))) {
        await transcript.addParticipant(tx, await invitedTo(tx, conversation, caller, now()), caller.user);
      }
      // Read again, because adding the participant changed updatedAt.
      const accepted = await findConversation(tx, caller.user.botId, conversationId);
      if (!accepted) throw notInvited();
      return {
        body: { conversation: serializeConversation(accepted, conversationId) },
        resource: accepted.id,
      };
    },
  ),

  handle(
    invitations.declineInvitation,
    async ({ tx, caller, params: { conversationId }, services: { now } }) => {
      const found = await heldIfAny(tx, caller, conversationId);
      const conversation = await invitedTo(tx, found, caller, now());
      await closeInvitationsTo(tx, conversation.id, caller.user);
      return { body: {} };
    },
  ),
];

/** Returns a conversation that may not exist, and holds its lock. */
async function heldIfAny(tx: WriteTx, { user }: Caller, id: string): Promise<ConversationRow | undefined> {
  const found = await findConversation(tx, user.botId, id);
  if (found) await tx.lock(`conversation:${found.id}`);
  return found && findConversation(tx, user.botId, id);
}

/** Returns the conversation if the caller has an open invitation. The error does not reveal whether it exists. */
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
