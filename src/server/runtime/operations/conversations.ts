// Operations of a bot on its conversations.
import { limits } from '../../../protocol/limits.ts';
import { conversations } from '../../../protocol/operations/runtime/conversations.ts';
import type { BotPrincipal } from '../../api/caller.ts';
import { cutPage, decodeCursor, isText } from '../../api/pages.ts';
import { viewerOf } from '../../auth/principal.ts';
import {
  type ConversationRow,
  conversationById,
  touchConversation,
} from '../../storage/chat/conversations.ts';
import type { WriteTx } from '../../storage/database.ts';
import { conversationTagged, listConversationsOf } from '../../storage/runtime/lists.ts';
import { conversationTags, integration, one, serializeConversations } from '../serializers.ts';
import { ownBot, ownConversation } from './find.ts';
import { handle, type RuntimeServices } from './services.ts';
import { searchedTags, storeTags, type TagFields } from './tags.ts';

/** The sort key of a list that is sorted by a time. */
export const isTimeKey = (key: unknown): key is readonly [number, string] =>
  Array.isArray(key) && key.length === 2 && Number.isSafeInteger(key[0]) && isText(key[1]);

/** The milliseconds of a date in a query. */
export const timeOf = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : Date.parse(text);

export const conversationHandlers = [
  handle(conversations.createConversation, async ({ tx, caller, input, services }) => {
    const conversation = await create(tx, caller, input, services);
    return {
      body: { conversation: await one(serializeConversations, tx, conversation) },
      resource: conversation.id,
    };
  }),

  handle(conversations.getOrCreateConversation, async ({ tx, caller, input, services }) => {
    const { channel = 'channel', tags, discriminateByTags } = input;
    const { wanted, exactly } = searchedTags(tags, discriminateByTags);
    await tx.lock(`bot:${caller.botId}`);
    const search = { tags: wanted, exactly, viewer: viewerOf(caller) };
    const found = await conversationTagged(tx, caller.botId, channel, search);
    if (found) await tx.lock(`owner:${found.id}`);
    const conversation = found
      ? await change(tx, found, input, services)
      : await create(tx, caller, input, services);
    const body = { conversation: await one(serializeConversations, tx, conversation) };
    return { body: { ...body, meta: { created: !found } }, resource: conversation.id };
  }),

  handle(conversations.getConversation, async ({ tx, caller, params }) => {
    const conversation = await ownConversation(tx, caller, params.id);
    return { body: { conversation: await one(serializeConversations, tx, conversation) } };
  }),

  handle(conversations.listConversations, async ({ tx, caller, input }) => {
    const { userId, participantIds = [], tags = {}, sortField = 'createdAt', integrationName } = input;
    const isAscending = input.sortDirection === 'asc';
    const list = `bot conversations ${sortField} ${isAscending}`;
    const from = decodeCursor(list, input.nextToken, isTimeKey);
    // There is only one integration.
    if (integrationName !== undefined && integrationName !== integration) {
      return { body: { conversations: [], meta: {} } };
    }
    const size = input.pageSize ?? limits.pageSize;
    const { fid, owner, ...others } = tags;
    const filter = {
      viewer: viewerOf(caller),
      tags: others,
      fid,
      owner,
      participantIds: [...new Set([...(userId === undefined ? [] : [userId]), ...participantIds])],
      channel: input.channel,
      after: timeOf(input.afterDate),
      before: timeOf(input.beforeDate),
      minMessageCount: input.minMessageCount,
      maxMessageCount: input.maxMessageCount,
    };
    const found = await listConversationsOf(
      tx,
      caller.botId,
      { ...filter, sortField, isAscending, from },
      size + 1,
    );
    const { rows, meta } = cutPage(list, found, size, (row) => [row[sortField], row.id]);
    return { body: { conversations: await serializeConversations(tx, rows), meta } };
  }),

  handle(conversations.updateConversation, async ({ tx, caller, params, input, services }) => {
    await tx.lock(`owner:${params.id}`);
    const conversation = await change(tx, await ownConversation(tx, caller, params.id), input, services);
    return { body: { conversation: await one(serializeConversations, tx, conversation) } };
  }),

  handle(conversations.deleteConversation, async ({ tx, caller, params, services: { transcript } }) => {
    await tx.lock(`conversation:${params.id}`);
    await transcript.removeConversations(tx, [await ownConversation(tx, caller, params.id)]);
    return { body: {} };
  }),
];

async function create(
  tx: WriteTx,
  caller: BotPrincipal,
  { channel, ...fields }: TagFields & { channel?: string },
  { transcript }: Pick<RuntimeServices, 'transcript'>,
): Promise<ConversationRow> {
  const bot = await ownBot(tx, caller);
  const options = { isByBot: true, ...(channel === undefined ? {} : { channel }) };
  const owner = { id: bot.userId, botId: bot.id };
  const conversation = await transcript.createConversation(tx, owner, null, undefined, options);
  await storeTagsOf(tx, conversation, fields);
  return (await conversationById(tx, conversation.id)) ?? conversation;
}

/** Changes the tags and properties, and returns the conversation with the time of the change. */
async function change(
  tx: WriteTx,
  conversation: ConversationRow,
  fields: TagFields,
  { now }: Pick<RuntimeServices, 'now'>,
): Promise<ConversationRow> {
  if (!(await storeTagsOf(tx, conversation, fields))) return conversation;
  await touchConversation(tx, conversation.id, now());
  return (await conversationById(tx, conversation.id)) ?? conversation;
}

const storeTagsOf = (tx: WriteTx, conversation: ConversationRow, { tags, properties }: TagFields) =>
  storeTags(
    tx,
    conversation,
    { ...(tags ? { tags } : {}), ...(properties ? { properties } : {}) },
    conversationTags(conversation),
    ['owner', 'fid'],
  );
