// Operations of a bot on the participants of its conversations. A bot adds users without an invitation.
import { limits } from '../../../protocol/limits.ts';
import { participants } from '../../../protocol/operations/runtime/conversations.ts';
import type { BotPrincipal } from '../../api/caller.ts';
import { ApiError } from '../../api/errors.ts';
import { decodeCursor, isText, readPage } from '../../api/pages.ts';
import { viewerOf } from '../../auth/principal.ts';
import { assertNotOwner, notParticipant } from '../../chat/index.ts';
import { setOwner } from '../../storage/chat/conversations.ts';
import { isParticipant, listParticipants } from '../../storage/chat/participants.ts';
import { bytesOfUser, type UserRow, userById } from '../../storage/chat/users.ts';
import type { Tx } from '../../storage/database.ts';
import { isUserVisible } from '../../storage/inbox/visibility.ts';
import { one, serializeUsers } from '../serializers.ts';
import { ownBot, ownConversation } from './find.ts';
import { handle } from './services.ts';

export const participantHandlers = [
  handle(participants.listParticipants, async ({ tx, caller, params, input }) => {
    const conversation = await ownConversation(tx, caller, params.id);
    const before = decodeCursor('bot participants', input.nextToken, isText);
    const size = input.pageSize ?? limits.pageSize;
    const { rows, meta } = await readPage({
      kind: 'bot participants',
      size,
      after: before,
      sortKey: (row: UserRow) => row.id,
      weigh: (row) => bytesOfUser(row),
      read: (from, limit) => listParticipants(tx, conversation.id, from, limit),
    });
    return { body: { participants: await serializeUsers(tx, rows), meta } };
  }),

  handle(
    participants.addParticipant,
    async ({ tx, caller, params, input: { userId }, services: { transcript } }) => {
      await tx.lock(`conversation:${params.id}`);
      const conversation = await ownConversation(tx, caller, params.id);
      const user = await ownUser(tx, caller, userId);
      if (!user) throw new ApiError('ResourceNotFound', 'The user does not exist.');
      await transcript.addParticipant(tx, conversation, user);
      // The owner of a conversation lists it and can delete it, so it becomes the visitor for whom the bot created it.
      const bot = await ownBot(tx, caller);
      if (conversation.ownerId === bot.userId) await setOwner(tx, conversation.id, bot.userId, user.id);
      return { body: { participant: await one(serializeUsers, tx, user) }, resource: user.id };
    },
  ),

  handle(participants.getParticipant, async ({ tx, caller, params: { id, userId } }) => {
    const conversation = await ownConversation(tx, caller, id);
    const user = await ownUser(tx, caller, userId);
    if (!user || !(await isParticipant(tx, conversation.id, user.id))) throw notParticipant();
    return { body: { participant: await one(serializeUsers, tx, user) } };
  }),

  handle(
    participants.removeParticipant,
    async ({ tx, caller, params: { id, userId }, services: { transcript } }) => {
      await tx.lock(`conversation:${id}`);
      const conversation = await ownConversation(tx, caller, id);
      const user = await ownUser(tx, caller, userId);
      assertNotOwner(conversation, user?.id);
      if (!user || !(await transcript.removeParticipant(tx, conversation, user))) throw notParticipant();
      return { body: {} };
    },
  ),
];

/** Returns a user of the bot by server id, undefined for the bot's own user. */
async function ownUser(tx: Tx, caller: BotPrincipal, id: string): Promise<UserRow | undefined> {
  const user = await userById(tx, id);
  const bot = await ownBot(tx, caller);
  if (user?.botId !== caller.botId || user.id === bot.userId) return undefined;
  return (await isUserVisible(tx, viewerOf(caller), user.id)) ? user : undefined;
}
