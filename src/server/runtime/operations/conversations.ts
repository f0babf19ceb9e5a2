// Operations of a bot on its conversations and users, and on the widget of the visitor's page.
import { limits } from '../../../protocol/limits.ts';
import { conversations, typingTimeout } from '../../../protocol/operations/runtime/conversations.ts';
import { cutPage, decodeCursor, isText } from '../../api/cursor.ts';
import { ApiError } from '../../api/errors.ts';
import { validateWidgetConfiguration } from '../../bots/index.ts';
import type { Transcript } from '../../chat/index.ts';
import { listConversationsOf, listUsersOf } from '../../storage/bots/lists.ts';
import type { ConversationRow } from '../../storage/chat/conversations.ts';
import { userById } from '../../storage/chat/users.ts';
import type { WriteTx } from '../../storage/database.ts';
import { createId, publicId } from '../../storage/ids.ts';
import { serializeRuntimeConversation, serializeRuntimeUser } from '../serializers.ts';
import { ownBot, ownConversation } from './find.ts';
import { handle, type RuntimeServices } from './services.ts';

const isUserKey = (key: unknown): key is readonly [number, string] =>
  Array.isArray(key) && key.length === 2 && Number.isSafeInteger(key[0]) && isText(key[1]);

export const conversationHandlers = [
  handle(conversations.getConversation, async ({ tx, caller, params }) => {
    return {
      body: { conversation: serializeRuntimeConversation(await ownConversation(tx, caller, params.id)) },
    };
  }),

  handle(conversations.listConversations, async ({ tx, caller, input }) => {
    const before = decodeCursor('bot conversations', input.nextToken, isText);
    const size = input.pageSize ?? limits.pageSize;
    const found = await listConversationsOf(tx, caller.botId, input.userId, before, size + 1);
    const { rows, meta } = cutPage('bot conversations', found, size, (row) => row.id);
    return { body: { conversations: rows.map(serializeRuntimeConversation), meta } };
  }),

  handle(conversations.getUser, async ({ tx, caller, params: { id } }) => {
    const user = await userById(tx, id);
    if (user?.botId !== caller.botId) throw new ApiError('ResourceNotFound', 'The user does not exist.');
    return { body: { user: serializeRuntimeUser(user) } };
  }),

  handle(conversations.listUsers, async ({ tx, caller, input }) => {
    const { conversationId, tags = {}, rangeField = 'createdAt', sortField = 'createdAt' } = input;
    const isAscending = input.sortDirection === 'asc';
    const list = `bot users ${sortField} ${isAscending}`;
    const from = decodeCursor(list, input.nextToken, isUserKey);
    if (conversationId !== undefined) await ownConversation(tx, caller, conversationId);
    const { fid, profile, ...others } = tags;
    // Users have no other tags.
    if (Object.keys(others).length > 0) return { body: { users: [], meta: {} } };
    const size = input.pageSize ?? limits.pageSize;
    const [after, before] = [input.afterDate, input.beforeDate].map((text) => text && Date.parse(text));
    const filter = { conversationId, fid, profile, rangeField, sortField, isAscending, from };
    const times = { after: after || undefined, before: before || undefined };
    const found = await listUsersOf(tx, caller.botId, { ...filter, ...times }, size + 1);
    const { rows, meta } = cutPage(list, found, size, (row) => [row[sortField], row.id]);
    return { body: { users: rows.map(serializeRuntimeUser), meta } };
  }),

  handle(
    conversations.setTyping,
    async ({ tx, caller, params, input: { typing }, services: { presence } }) => {
      const conversation = await ownConversation(tx, caller, params.id);
      const { userId } = await ownBot(tx, caller);
      presence.setTyping(participantRef(conversation, userId), typing, typingTimeout, true);
      return { body: {} };
    },
  ),

  handle(conversations.setVisibility, async ({ tx, caller, params, input: { visibility }, services }) => {
    const conversation = await ownConversation(tx, caller, params.id);
    const data = { conversationId: publicId(conversation), visibility };
    return sendSignal(tx, services, conversation, { type: 'webchat_visibility', data });
  }),

  handle(conversations.configureWebchat, async ({ tx, caller, params, input, services }) => {
    const conversation = await ownConversation(tx, caller, params.id);
    const data = { conversationId: publicId(conversation), config: readConfiguration(input.configuration) };
    return sendSignal(tx, services, conversation, { type: 'webchat_config', data });
  }),
];

/** Returns the ids that identify the bot in the conversation for typing signals. */
export const participantRef = (conversation: ConversationRow, userId: string) => ({
  conversation: { id: conversation.id, publicId: publicId(conversation) },
  user: { id: userId, publicId: userId },
});

/** Sends a signal to the widget. Its origin is random: retries are detected earlier, by their Idempotency-Key. */
export async function sendSignal(
  tx: WriteTx,
  { transcript }: Pick<RuntimeServices, 'transcript'>,
  conversation: ConversationRow,
  signal: Parameters<Transcript['sendWidgetSignal']>[3],
) {
  await transcript.sendWidgetSignal(tx, conversation, `runtime:${createId('evt')}`, signal);
  return { body: {} };
}

/** Validates a widget configuration. Throws InvalidPayload that names the wrong field. */
export function readConfiguration(given: unknown) {
  try {
    return validateWidgetConfiguration(given);
  } catch (error) {
    if (error instanceof TypeError) throw new ApiError('InvalidPayload', error.message);
    throw error;
  }
}
