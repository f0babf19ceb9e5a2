// Operations on participants: owners invite and remove users, participants list each other and can leave.
import { limits } from '../../../protocol/limits.ts';
import { participants } from '../../../protocol/operations/chat/conversations.ts';
import type { User } from '../../../protocol/user.ts';
import type { Caller } from '../../api/caller.ts';
import { ApiError } from '../../api/errors.ts';
import { decodeCursor, isText, readPage } from '../../api/pages.ts';
import { timestamp } from '../../api/serializers.ts';
import { userFor } from '../../auth/user-keys.ts';
import type { ConversationRow } from '../../storage/chat/conversations.ts';
import {
  countInvitations,
  deleteInvitation,
  findInvitedAt,
  insertInvitation,
} from '../../storage/chat/invitations.ts';
import { findParticipant, isParticipant, listParticipants } from '../../storage/chat/participants.ts';
import { bytesOfUser, type UserRow } from '../../storage/chat/users.ts';
import type { WriteTx } from '../../storage/database.ts';
import { serializeUser } from '../serializers.ts';
import { existing, existingUser, held, joined, owned } from './access.ts';
import { handle, handleDecorated } from './services.ts';

export const participantHandlers = [
  handleDecorated(
    participants.addParticipant,
    async ({ tx, caller, params: { conversationId }, input: { userId }, services }) => {
      const conversation = await held(tx, () => owned(tx, conversationId, caller));
      if (services.settings.PARTICIPANTS === 'direct') {
        const user = await existingUser(tx, conversation.botId, userId);
        await services.transcript.addParticipant(tx, conversation, user);
        return { body: { participant: serializeUser(user, userId) }, resource: user.id };
      }
      const user = await findParticipant(tx, conversation, userId);
      if (user) return { body: { participant: serializeUser(user, userId) }, resource: user.id };
      const participant = await invite(tx, conversation, userId, services.now());
      // Not the user's id: a repeated request would then reveal that the user was deleted.
      return { body: { participant }, resource: conversation.id };
    },
    {
      // The invited id is not stored with the response, where it would outlive the user.
      decorateResponse: ({ participant }: { participant: Omit<User, 'id'> }, { input }) => ({
        participant: { id: input.userId, ...participant },
      }),
    },
  ),

  handle(participants.listParticipants, async ({ tx, caller, params: { conversationId }, input }) => {
    const conversation = await joined(tx, conversationId, caller);
    const before = decodeCursor('participants', input.nextToken, isText);
    const { rows, meta } = await readPage({
      kind: 'participants',
      size: limits.pageSize,
      after: before,
      sortKey: (row: UserRow) => row.id,
      weigh: (row) => bytesOfUser(row),
      read: (from, limit) => listParticipants(tx, conversation.id, from, limit),
    });
    const seen = rows.map((row) => userFor(caller.key, serializeUser(row)));
    return { body: { participants: seen, meta } };
  }),

  handle(participants.getParticipant, async ({ tx, caller, params: { conversationId, userId } }) => {
    const conversation = await owned(tx, conversationId, caller);
    const user = await findParticipant(tx, conversation, userId);
    if (!user) throw notParticipant();
    return { body: { participant: serializeUser(user, userId) } };
  }),

  handle(
    participants.removeParticipant,
    async ({ tx, caller, params: { conversationId, userId }, services }) => {
      await held(tx, () => existing(tx, caller.user.botId, conversationId));
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
  ),
];

/** The error for a user who is not a participant; it does not reveal whether the user exists. */
export function notParticipant(): ApiError {
  return new ApiError('ResourceNotFound', 'The user is not a participant of this conversation.');
}

/** Throws InvalidPayload for the owner of the conversation, who cannot be removed. */
export function assertNotOwner({ ownerId }: ConversationRow, userId: string | undefined): void {
  if (userId !== ownerId) return;
  throw new ApiError('InvalidPayload', 'The owner cannot be removed from the conversation.');
}

/**
 * Stores an invitation unless one exists. The response and the SQL statements are the same for every id, so that neither
 * reveals whether the user exists. Throws QuotaExceeded.
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

/** Returns true when a participant other than the owner removes themselves. Throws ResourceNotFound as `owned` does. */
async function isLeaving(tx: WriteTx, id: string, userId: string, { user }: Caller): Promise<boolean> {
  const conversation = await existing(tx, user.botId, id);
  const isSelf = userId === user.id || userId === user.foreignId;
  return isSelf && conversation.ownerId !== user.id && (await isParticipant(tx, conversation.id, user.id));
}
