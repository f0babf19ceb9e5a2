// Operations of a bot on the participants of its conversations. A bot adds users without an invitation.
import * as v from 'valibot';
import { limits } from '../../../protocol/limits.ts';
import { cutPage, decodeCursor, isText } from '../../api/cursor.ts';
import { ApiError } from '../../api/errors.ts';
import { schemas } from '../../api/schemas.ts';
import type { BotPrincipal } from '../../auth/principal.ts';
import { assertNotOwner, notParticipant } from '../../chat/index.ts';
import { reading, writing } from '../../operations/operation.ts';
import { isParticipant, listParticipants } from '../../storage/chat/participants.ts';
import { type UserRow, userById } from '../../storage/chat/users.ts';
import type { Tx } from '../../storage/database.ts';
import { runtimeSchemas, toRuntimeUser } from '../schemas.ts';
import { ownBot, ownConversation } from './find.ts';

const response = v.object({ participant: runtimeSchemas.user });

export const participants = [
  reading({
    id: 'listBotParticipants',
    method: 'GET',
    path: '/conversations/{id}/participants',
    summary: 'Lists the users who take part in a conversation, youngest account first.',
    auth: 'bot',
    permission: 'chat.read',
    errors: ['InvalidQuery', 'ResourceNotFound'],
    status: 200,
    query: v.object(schemas.sizedPage),
    response: v.object({ participants: v.array(runtimeSchemas.user), meta: schemas.meta }),
    async run({ tx, caller, params, query }) {
      const conversation = await ownConversation(tx, caller, params.id);
      const before = decodeCursor('bot participants', query.nextToken, isText);
      const size = query.pageSize ?? limits.pageSize;
      const found = await listParticipants(tx, conversation.id, before, size + 1);
      const { rows, meta } = cutPage('bot participants', found, size, (row) => row.id);
      return { body: { participants: rows.map(toRuntimeUser), meta } };
    },
  }),

  writing({
    id: 'addBotParticipant',
    method: 'POST',
    path: '/conversations/{id}/participants',
    summary:
      'Adds a user of the bot to a conversation at once, without an invitation. Adding one who takes part changes nothing.',
    auth: 'bot',
    permission: 'chat.write',
    errors: ['ResourceNotFound'],
    status: 200,
    body: v.object({ userId: schemas.id }),
    response,
    async run({ tx, caller, params, body: { userId }, services: { transcript } }) {
      const conversation = await ownConversation(tx, caller, params.id);
      const user = await ownUser(tx, caller, userId);
      if (!user) throw new ApiError('ResourceNotFound', 'The user does not exist.');
      await transcript.addParticipant(tx, conversation, user);
      return { body: { participant: toRuntimeUser(user) }, resource: user.id };
    },
  }),

  reading({
    id: 'getBotParticipant',
    method: 'GET',
    path: '/conversations/{id}/participants/{userId}',
    summary: 'Returns one user who takes part in a conversation.',
    auth: 'bot',
    permission: 'chat.read',
    errors: ['ResourceNotFound'],
    status: 200,
    response,
    async run({ tx, caller, params: { id, userId = '' } }) {
      const conversation = await ownConversation(tx, caller, id);
      const user = await ownUser(tx, caller, userId);
      if (!user || !(await isParticipant(tx, conversation.id, user.id))) throw notParticipant();
      return { body: { participant: toRuntimeUser(user) } };
    },
  }),

  writing({
    id: 'removeBotParticipant',
    method: 'DELETE',
    path: '/conversations/{id}/participants/{userId}',
    summary:
      'Removes a participant who is not the owner of the conversation; their open streams of this conversation are closed.',
    auth: 'bot',
    permission: 'chat.write',
    errors: ['InvalidPayload', 'ResourceNotFound'],
    status: 200,
    response: schemas.nothing,
    async run({ tx, caller, params: { id, userId = '' }, services: { transcript } }) {
      const conversation = await ownConversation(tx, caller, id);
      const user = await ownUser(tx, caller, userId);
      assertNotOwner(conversation, user?.id);
      if (!user || !(await transcript.removeParticipant(tx, conversation, user))) throw notParticipant();
      return { body: {} };
    },
  }),
];

/** A user of the bot by server id, but not the one that it speaks as. */
async function ownUser(tx: Tx, caller: BotPrincipal, id: string): Promise<UserRow | undefined> {
  const user = await userById(tx, id);
  const bot = await ownBot(tx, caller);
  return user?.botId === caller.botId && user.id !== bot.userId ? user : undefined;
}
