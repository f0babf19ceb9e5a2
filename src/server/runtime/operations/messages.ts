// Operations of a bot on messages: it sends, reads and tags all of its conversations, and changes and deletes its own.
import * as v from 'valibot';
import { limits } from '../../../protocol/limits.ts';
import type { Metadata, Payload } from '../../../protocol/message.ts';
import { messages } from '../../../protocol/operations/runtime/messages.ts';
import type { NewPart } from '../../../protocol/parts.ts';
import { schemas } from '../../../protocol/schemas/chat.ts';
import type { BotPrincipal } from '../../api/caller.ts';
import { ApiError } from '../../api/errors.ts';
import { decodeCursor, readPage } from '../../api/pages.ts';
import { newParts } from '../../api/part-list.ts';
import { withoutLongValues } from '../../api/serializers.ts';
import { assertMessageSize, assertSize, explain } from '../../api/validation.ts';
import { viewerOf } from '../../auth/principal.ts';
import { canonicalPayload, updatePart } from '../../chat/index.ts';
import type { ConversationRow } from '../../storage/chat/conversations.ts';
import { type MessageRow, setPayload } from '../../storage/chat/messages.ts';
import type { WriteTx } from '../../storage/database.ts';
import { bytesOf } from '../../storage/read-bytes.ts';
import { listMessagesOf, messageTagged } from '../../storage/runtime/lists.ts';
import { one, serializeMessages } from '../serializers.ts';
import { isTimeKey, timeOf } from './conversations.ts';
import { authorOf, heldMessage, ownBot, ownConversation, ownMessage, personOfDesk } from './find.ts';
import { handle, type RuntimeServices } from './services.ts';
import { searchedTags, storeTags, type TagFields } from './tags.ts';
import { participantRef } from './widget.ts';

export const messageHandlers = [
  handle(
    messages.createMessage,
    async ({ tx, caller, input, services }) => {
      await tx.lock(`conversation:${input.conversationId}`);
      const conversation = await ownConversation(tx, caller, input.conversationId);
      const message = await send(tx, caller, conversation, input, services);
      return { body: { message: await one(serializeMessages, tx, message) }, resource: message.id };
    },
    { normalizeBody: withCanonicalPayload },
  ),

  handle(
    messages.getOrCreateMessage,
    async ({ tx, caller, input, services }) => {
      const { payload, tags, discriminateByTags } = input;
      const { wanted, exactly } = searchedTags(tags, discriminateByTags);
      await tx.lock(`conversation:${input.conversationId}`);
      const conversation = await ownConversation(tx, caller, input.conversationId);
      const found = await messageTagged(tx, caller.botId, conversation.id, wanted, exactly);
      if (!found && !payload) {
        throw new ApiError('InvalidPayload', 'payload: Required, because no message has these tags.');
      }
      // Without a found message there is a payload.
      const message = found
        ? await tag(tx, caller, found, tags, services)
        : await send(tx, caller, conversation, { ...input, payload: payload as Payload }, services);
      const body = { message: await one(serializeMessages, tx, message), meta: { created: !found } };
      return { body, resource: message.id };
    },
    { normalizeBody: withCanonicalPayload },
  ),

  handle(messages.listMessages, async ({ tx, caller, input }) => {
    const { conversationId, tags = {} } = input;
    // A list of all messages of a bot would have no order in which pages can be read by an index.
    if (conversationId === undefined && Object.keys(tags).length === 0) {
      throw new ApiError('InvalidQuery', 'conversationId: Required without tags.');
    }
    const conversation =
      conversationId === undefined ? undefined : await ownConversation(tx, caller, conversationId);
    const list = `bot messages ${conversation ? 'of one' : 'of all'}`;
    const from = decodeCursor(list, input.nextToken, isTimeKey);
    const size = input.pageSize ?? limits.pageSize;
    const filter = {
      viewer: viewerOf(caller),
      conversationId: conversation?.id,
      tags,
      after: timeOf(input.afterDate),
      before: timeOf(input.beforeDate),
    };
    const { rows, meta } = await readPage({
      kind: list,
      size,
      after: from,
      sortKey: (row: MessageRow) => [row.seq, row.id] as const,
      weigh: (row) => bytesOf(row),
      read: (after, limit, bytes) =>
        listMessagesOf(tx, caller.botId, { ...filter, from: after }, limit, bytes),
    });
    return { body: { messages: (await serializeMessages(tx, rows)).map(withoutLongValues), meta } };
  }),

  handle(messages.getMessage, async ({ tx, caller, params }) => {
    const { message } = await ownMessage(tx, caller, params.id);
    return { body: { message: await one(serializeMessages, tx, message) } };
  }),

  handle(messages.updateMessage, async ({ tx, caller, params, input: { tags, payload }, services }) => {
    const { message: stored, conversation } = await heldMessage(tx, caller, params.id);
    const message = tags ? await tag(tx, caller, stored, tags, services) : stored;
    if (!payload) return { body: { message: await one(serializeMessages, tx, message) } };
    assertAuthor(message, 'change the payload of');
    const { type } = JSON.parse(message.payload) as Payload;
    const changed = readPayload({ type, ...payload }, type);
    const row = await services.transcript.changePayload(tx, conversation, message, changed);
    return { body: { message: await one(serializeMessages, tx, row) } };
  }),

  handle(messages.updateMessagePart, async ({ tx, caller, params, input: { part }, services }) => {
    const { message, conversation } = await heldMessage(tx, caller, params.id);
    assertAuthor(message, 'change the parts of');
    const change = { ...part, id: params.partId };
    const row = await updatePart(tx, services.transcript, conversation, message, change);
    return { body: { message: await one(serializeMessages, tx, row) } };
  }),

  handle(messages.deleteMessage, async ({ tx, caller, params, services: { transcript } }) => {
    const { message, conversation } = await heldMessage(tx, caller, params.id);
    assertAuthor(message, 'delete');
    await transcript.removeMessage(tx, conversation, message);
    return { body: {} };
  }),
];

/** Changes the tags of a message, and returns it with the time of the change. */
async function tag(
  tx: WriteTx,
  { botId }: BotPrincipal,
  message: MessageRow,
  tags: TagFields['tags'] & object,
  { now }: Pick<RuntimeServices, 'now'>,
): Promise<MessageRow> {
  if (!(await storeTags(tx, { id: message.id, botId }, { tags }))) return message;
  // The clock of a conversation can be ahead by a few milliseconds.
  const updatedAt = Math.max(now(), message.createdAt);
  await setPayload(tx, message.id, message.payload, updatedAt);
  return { ...message, updatedAt };
}

interface NewMessage extends TagFields {
  as?: 'person';
  payload: Payload;
  type?: string;
  userId?: string;
  metadata?: Metadata;
  origin?: 'synthetic';
  parts?: NewPart[];
}

/** Sends a message of the bot, and ends its typing indicator. */
async function send(
  tx: WriteTx,
  caller: BotPrincipal,
  conversation: ConversationRow,
  { payload, type, userId, metadata, origin, tags, parts = [], as }: NewMessage,
  { transcript, presence, now }: Pick<RuntimeServices, 'transcript' | 'presence' | 'now'>,
): Promise<MessageRow> {
  assertType(type, payload.type);
  assertMessageSize({ payload, metadata });
  const author =
    as === 'person' ? await personOfDesk(tx, conversation) : await authorOf(tx, caller, conversation, userId);
  if (parts.length > 0 && !author.isBot)
    throw new ApiError('InvalidPayload', 'parts: Only messages of the bot have parts.');
  const content = {
    payload,
    ...(metadata ? { metadata } : {}),
    parts: newParts(parts, new Date(now()).toISOString()),
    isSynthetic: origin === 'synthetic',
  };
  const message = await transcript.addMessage(tx, conversation, author, content);
  if (tags) await storeTags(tx, { id: message.id, botId: caller.botId }, { tags });
  const bot = await ownBot(tx, caller);
  tx.afterCommit(() => presence.setTyping(participantRef(conversation, bot.userId), false, 0));
  return message;
}

/** Validates the payload of a changed message. Throws InvalidPayload that names the wrong field. */
function readPayload(input: Record<string, unknown>, type: string): Payload {
  if (input.type !== type) assertType(String(input.type), type);
  const read = v.safeParse(schemas.payload, canonicalPayload(input), { abortEarly: true });
  if (!read.success) {
    const [issue] = read.issues;
    throw new ApiError('InvalidPayload', `payload.${v.getDotPath(issue) ?? ''}: ${explain(issue)}`);
  }
  assertSize('payload', read.output);
  return read.output;
}

function assertType(type: string | undefined, payloadType: string): void {
  if (type === undefined || type === payloadType) return;
  throw new ApiError('InvalidPayload', `type: The type of the payload is ${payloadType}.`);
}

function assertAuthor({ isBot }: MessageRow, what: string): void {
  if (isBot !== 1) throw new ApiError('Forbidden', `Only the author can ${what} a message.`);
}

/** Returns the body with its payload in canonical form. The type can be outside of the payload in the body; here it is inside. */
export function withCanonicalPayload(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('payload' in body)) return body;
  const { payload } = body;
  const isObject = typeof payload === 'object' && payload !== null && !Array.isArray(payload);
  if (!isObject || !('type' in body) || typeof body.type !== 'string') {
    return { ...body, payload: canonicalPayload(payload) };
  }
  return { ...body, payload: canonicalPayload({ type: body.type, ...payload }) };
}
