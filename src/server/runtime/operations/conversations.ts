// Operations of a bot on its conversations and users, and on what the visitor's page shows.
import * as v from 'valibot';
import { limits } from '../../../protocol/limits.ts';
import { cutPage, decodeCursor, isText } from '../../api/cursor.ts';
import { ApiError } from '../../api/errors.ts';
import { schemas } from '../../api/schemas.ts';
import { validateWidgetConfiguration, visibilities } from '../../bots/index.ts';
import { reading, type Services, writing } from '../../operations/operation.ts';
import { listConversationsOf, listUsersOf } from '../../storage/bots/lists.ts';
import type { ConversationRow } from '../../storage/chat/conversations.ts';
import { userById } from '../../storage/chat/users.ts';
import type { WriteTx } from '../../storage/database.ts';
import { createId, publicId } from '../../storage/ids.ts';
import { runtimeSchemas, toRuntimeConversation, toRuntimeUser } from '../schemas.ts';
import { ownBot, ownConversation } from './find.ts';

/** Milliseconds that the typing indicator of a bot shows, unless it is told again. */
const typingTimeout = 30_000;

const date = v.pipe(v.string(), v.isoTimestamp('Expected a date and time in ISO 8601.'));
const field = v.exactOptional(v.picklist(['createdAt', 'updatedAt']));
const userQuery = v.object({
  ...schemas.sizedPage,
  conversationId: v.exactOptional(schemas.id),
  tags: v.exactOptional(v.record(v.string(), schemas.id)),
  afterDate: v.exactOptional(date),
  beforeDate: v.exactOptional(date),
  rangeField: field,
  sortField: field,
  sortDirection: v.exactOptional(v.picklist(['asc', 'desc'])),
});

const isUserKey = (key: unknown): key is readonly [number, string] =>
  Array.isArray(key) && key.length === 2 && Number.isSafeInteger(key[0]) && isText(key[1]);

export const conversations = [
  reading({
    id: 'getBotConversation',
    method: 'GET',
    path: '/conversations/{id}',
    summary: 'Gives a conversation of the bot.',
    auth: 'bot',
    permission: 'chat.read',
    errors: ['ResourceNotFound'],
    status: 200,
    response: v.object({ conversation: runtimeSchemas.conversation }),
    async run({ tx, caller, params }) {
      return { body: { conversation: toRuntimeConversation(await ownConversation(tx, caller, params.id)) } };
    },
  }),

  reading({
    id: 'listBotConversations',
    method: 'GET',
    path: '/conversations',
    summary:
      'Lists conversations of the bot, newest first; with `userId` those that this user takes part in.',
    auth: 'bot',
    permission: 'chat.read',
    errors: ['InvalidQuery'],
    status: 200,
    query: v.object({ ...schemas.sizedPage, userId: v.exactOptional(schemas.id) }),
    response: v.object({ conversations: v.array(runtimeSchemas.conversation), meta: schemas.meta }),
    async run({ tx, caller, query }) {
      const before = decodeCursor('bot conversations', query.nextToken, isText);
      const size = query.pageSize ?? limits.pageSize;
      const found = await listConversationsOf(tx, caller.botId, query.userId, before, size + 1);
      const { rows, meta } = cutPage('bot conversations', found, size, (row) => row.id);
      return { body: { conversations: rows.map(toRuntimeConversation), meta } };
    },
  }),

  reading({
    id: 'getBotUser',
    method: 'GET',
    path: '/users/{id}',
    summary: 'Gives a user of the bot.',
    auth: 'bot',
    permission: 'chat.read',
    errors: ['ResourceNotFound'],
    status: 200,
    response: v.object({ user: runtimeSchemas.user }),
    async run({ tx, caller, params: { id = '' } }) {
      const user = await userById(tx, id);
      if (user?.botId !== caller.botId) throw new ApiError('ResourceNotFound', 'The user does not exist.');
      return { body: { user: toRuntimeUser(user) } };
    },
  }),

  reading({
    id: 'listBotUsers',
    method: 'GET',
    path: '/users',
    summary:
      'Lists users of the bot, newest first: those of a conversation, with tags (`fid`, `profile`), of a time. ' +
      'The dates themselves are left out.',
    auth: 'bot',
    permission: 'chat.read',
    errors: ['InvalidQuery', 'ResourceNotFound'],
    status: 200,
    query: userQuery,
    response: v.object({ users: v.array(runtimeSchemas.user), meta: schemas.meta }),
    async run({ tx, caller, query }) {
      const { conversationId, tags = {}, rangeField = 'createdAt', sortField = 'createdAt' } = query;
      const isAscending = query.sortDirection === 'asc';
      const list = `bot users ${sortField} ${isAscending}`;
      const from = decodeCursor(list, query.nextToken, isUserKey);
      if (conversationId !== undefined) await ownConversation(tx, caller, conversationId);
      const { fid, profile, ...others } = tags;
      // Users have no other tags.
      if (Object.keys(others).length > 0) return { body: { users: [], meta: {} } };
      const size = query.pageSize ?? limits.pageSize;
      const [after, before] = [query.afterDate, query.beforeDate].map((text) => text && Date.parse(text));
      const filter = { conversationId, fid, profile, rangeField, sortField, isAscending, from };
      const times = { after: after || undefined, before: before || undefined };
      const found = await listUsersOf(tx, caller.botId, { ...filter, ...times }, size + 1);
      const { rows, meta } = cutPage(list, found, size, (row) => [row[sortField], row.id]);
      return { body: { users: rows.map(toRuntimeUser), meta } };
    },
  }),

  reading({
    id: 'setBotTyping',
    method: 'POST',
    path: '/conversations/{id}/typing',
    summary: `Shows the typing indicator of the bot for ${typingTimeout} ms, or ends it. It also ends with a message.`,
    auth: 'bot',
    permission: 'chat.write',
    errors: ['ResourceNotFound'],
    status: 200,
    body: v.object({ typing: v.boolean() }),
    response: schemas.nothing,
    async run({ tx, caller, params, body: { typing }, services: { presence } }) {
      const conversation = await ownConversation(tx, caller, params.id);
      const { userId } = await ownBot(tx, caller);
      presence.setTyping(placeOf(conversation, userId), typing, typingTimeout, true);
      return { body: {} };
    },
  }),

  writing({
    id: 'setVisibility',
    method: 'POST',
    path: '/conversations/{id}/visibility',
    summary: 'Opens or closes the window on the visitor’s page.',
    auth: 'bot',
    permission: 'chat.write',
    errors: ['ResourceNotFound'],
    status: 200,
    body: v.object({ visibility: v.picklist(visibilities) }),
    response: schemas.nothing,
    async run({ tx, caller, params, body: { visibility }, services }) {
      const conversation = await ownConversation(tx, caller, params.id);
      const data = { conversationId: publicId(conversation), visibility };
      return tell(tx, services, conversation, { type: 'webchat_visibility', data });
    },
  }),

  writing({
    id: 'configureWebchat',
    method: 'POST',
    path: '/conversations/{id}/configuration',
    summary: 'Changes the configuration of the visitor’s widget until the page is loaded anew.',
    auth: 'bot',
    permission: 'chat.write',
    errors: ['ResourceNotFound'],
    status: 200,
    body: v.object({ configuration: schemas.configuration }),
    response: schemas.nothing,
    async run({ tx, caller, params, body, services }) {
      const conversation = await ownConversation(tx, caller, params.id);
      const data = { conversationId: publicId(conversation), config: readConfiguration(body.configuration) };
      return tell(tx, services, conversation, { type: 'webchat_config', data });
    },
  }),
];

/** Where the bot types and writes. */
export const placeOf = (conversation: ConversationRow, userId: string) => ({
  conversation: { id: conversation.id, publicId: publicId(conversation) },
  user: { id: userId, publicId: userId },
});

/** A request has no name by which it could come twice, but its Idempotency-Key, which was looked at before. */
export async function tell(
  tx: WriteTx,
  { transcript }: Services,
  conversation: ConversationRow,
  signal: Parameters<Services['transcript']['sendWidgetSignal']>[3],
) {
  await transcript.sendWidgetSignal(tx, conversation, `runtime:${createId('evt')}`, signal);
  return { body: {} };
}

/** What may be sent to a page. Throws InvalidPayload that names the wrong field. */
export function readConfiguration(given: unknown) {
  try {
    return validateWidgetConfiguration(given);
  } catch (error) {
    if (error instanceof TypeError) throw new ApiError('InvalidPayload', error.message);
    throw error;
  }
}
