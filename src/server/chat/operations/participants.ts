// Operations on participants: the owner invites and removes, participants see the list and may leave.
import * as v from 'valibot';
import { limits } from '../../../protocol/limits.ts';
import type { User } from '../../../protocol/user.ts';
import { cutPage, decodeCursor, isText } from '../../api/cursor.ts';
import { ApiError } from '../../api/errors.ts';
import { schemas } from '../../api/schemas.ts';
import { timestamp, toUser } from '../../api/serializers.ts';
import type { Caller } from '../../auth/caller.ts';
import { reading, writing } from '../../operations/operation.ts';
import type { ConversationRow } from '../../storage/chat/conversations.ts';
import {
  countInvitations,
  deleteInvitation,
  findInvitedAt,
  insertInvitation,
} from '../../storage/chat/invitations.ts';
import { findParticipant, isParticipant, listParticipants } from '../../storage/chat/participants.ts';
import type { WriteTx } from '../../storage/database.ts';
import { existing, existingUser, joined, owned } from './access.ts';

const response = v.object({ participant: schemas.user });

export const participants = [
  writing({
    id: 'addParticipant',
    method: 'POST',
    path: '/conversations/{conversationId}/participants',
    summary:
      'Invites a user to a conversation; they take part once they accept. The answer has the id and the time of the ' +
      'invitation, whether or not there is such a user; one who takes part is given with their profile. Inviting ' +
      'twice changes nothing. Where the server adds participants directly, the user takes part at once.',
    auth: 'user',
    errors: ['Forbidden', 'ResourceNotFound', 'QuotaExceeded'],
    status: 200,
    // An id of another form belongs to nobody: it is not stored.
    body: v.object({ userId: schemas.foreignId }),
    response,
    async run({ tx, caller, params: { conversationId = '' }, body: { userId }, services }) {
      const conversation = await owned(tx, conversationId, caller);
      if (services.participants === 'direct') {
        const user = await existingUser(tx, conversation.botId, userId);
        await services.transcript.addParticipant(tx, conversation, user);
        return { body: { participant: toUser(user, userId) }, resource: user.id };
      }
      const user = await findParticipant(tx, conversation, userId);
      if (user) return { body: { participant: toUser(user, userId) }, resource: user.id };
      const participant = await invite(tx, conversation, userId, services.now());
      // Not the user's id: a repeated request would tell that they were deleted.
      return { body: { participant }, resource: conversation.id };
    },
    // The id of an invitation is not stored with the answer, where it would outlive its user.
    finish: ({ participant }, { body }) => ({
      participant: { id: (body as { userId: string }).userId, ...(participant as object) },
    }),
  }),

  reading({
    id: 'listParticipants',
    method: 'GET',
    path: '/conversations/{conversationId}/participants',
    summary: 'Lists the users who take part in a conversation. Who is invited does not yet take part.',
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
    summary: 'Returns one user who takes part in a conversation of the caller.',
    auth: 'user',
    errors: ['Forbidden', 'ResourceNotFound'],
    status: 200,
    response,
    async run({ tx, caller, params: { conversationId = '', userId = '' } }) {
      const conversation = await owned(tx, conversationId, caller);
      const user = await findParticipant(tx, conversation, userId);
      if (!user) throw notParticipant();
      return { body: { participant: toUser(user, userId) } };
    },
  }),

  writing({
    id: 'removeParticipant',
    method: 'DELETE',
    path: '/conversations/{conversationId}/participants/{userId}',
    summary:
      'Removes a participant from a conversation of the caller, or withdraws an invitation. A participant may remove ' +
      'themselves. Open streams of that user in this conversation are closed.',
    auth: 'user',
    errors: ['InvalidPayload', 'Forbidden', 'ResourceNotFound'],
    status: 200,
    response: schemas.nothing,
    async run({ tx, caller, params: { conversationId = '', userId = '' }, services }) {
      if (await isLeaving(tx, conversationId, userId, caller)) {
        await services.transcript.removeParticipant(
          tx,
          await joined(tx, conversationId, caller),
          caller.user,
        );
        return { body: {} };
      }
      const conversation = await owned(tx, conversationId, caller);
      const user = await findParticipant(tx, conversation, userId);
      assertNotOwner(conversation, user?.id);
      if (user) await services.transcript.removeParticipant(tx, conversation, user);
      else if (!(await deleteInvitation(tx, conversation, userId, services.now()))) throw notParticipant();
      return { body: {} };
    },
  }),
];

/** The refusal for whoever takes no part in a conversation, the same whether or not there is such a user. */
export function notParticipant(): ApiError {
  return new ApiError('ResourceNotFound', 'The user is not a participant of this conversation.');
}

/** Throws InvalidPayload for the owner of the conversation, whom nobody can remove. */
export function assertNotOwner({ ownerId }: ConversationRow, userId: string | undefined): void {
  if (userId !== ownerId) return;
  throw new ApiError('InvalidPayload', 'The owner cannot be removed from the conversation.');
}

/**
 * Stores an invitation where there is none. The answer, and the statements behind it, are the same for every id: neither
 * says whether there is such a user. Throws QuotaExceeded.
 */
async function invite(
  tx: WriteTx,
  conversation: ConversationRow,
  id: string,
  now: number,
): Promise<Omit<User, 'id'>> {
  const before = await findInvitedAt(tx, conversation, id, now);
  if (before === undefined) {
    if ((await countInvitations(tx, conversation.id, now)) >= limits.invitations) {
      throw new ApiError(
        'QuotaExceeded',
        `A conversation can have ${limits.invitations} open invitations. Withdraw one with removeParticipant.`,
      );
    }
    await insertInvitation(tx, conversation, id, now);
  }
  const at = timestamp(before ?? now);
  return { createdAt: at, updatedAt: at };
}

/** True when a participant who is not the owner asks to remove themselves. Throws ResourceNotFound as `owned` does. */
async function isLeaving(tx: WriteTx, id: string, userId: string, { user }: Caller): Promise<boolean> {
  const conversation = await existing(tx, user.botId, id);
  const isSelf = userId === user.id || userId === user.foreignId;
  return isSelf && conversation.ownerId !== user.id && (await isParticipant(tx, conversation.id, user.id));
}
