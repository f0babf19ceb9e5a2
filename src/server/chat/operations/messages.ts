// Operations on messages: participants send and read them, authors delete them.
import { limits } from '../../../protocol/limits.ts';
import type { Payload } from '../../../protocol/message.ts';
import { typingTimeoutMs } from '../../../protocol/operations/chat/conversations.ts';
import { messages } from '../../../protocol/operations/chat/messages.ts';
import { isFileType } from '../../../protocol/payloads.ts';
import type { Caller } from '../../api/caller.ts';
import { ApiError } from '../../api/errors.ts';
import { cutPage, decodeCursor, isWhole, readPage } from '../../api/pages.ts';
import { serializeMessage, withoutLongValues } from '../../api/serializers.ts';
import { assertMessageSize } from '../../api/validation.ts';
import { mapInTurns } from '../../api/yielder.ts';
import type { ConversationRow } from '../../storage/chat/conversations.ts';
import { listMessages, type MessageRow } from '../../storage/chat/messages.ts';
import type { MessagePosition } from '../../storage/chat/own-conversations.ts';
import { publicId } from '../../storage/ids.ts';
import { bytesOf } from '../../storage/read-bytes.ts';
import { assertClientSize, canonicalPayload } from '../new-message.ts';
import { searchOwnMessages } from '../own-conversations.ts';
import {
  existing,
  existingMessage,
  held,
  joined,
  participating,
  quotaSubjectsOf,
  replaceable,
} from './access.ts';
import { participantRef } from './presence.ts';
import { type ChatServices, handle } from './services.ts';

const isPosition = (key: unknown): key is MessagePosition =>
  Array.isArray(key) && key.length === 2 && typeof key[0] === 'string' && isWhole(key[1]);

export const messageHandlers = [
  handle(
    messages.createMessage,
    // Only for messages that `runKnown` leaves: most messages are stored without this handler.
    async (call) => {
      const {
        tx,
        caller,
        headers,
        input: { conversationId, supersedes, client, ...content },
        services,
      } = call;
      const bytes = assertMessageSize(content);
      assertClientSize(client);
      const conversation = await held(tx, () => joined(tx, conversationId, caller));
      const replaced =
        supersedes === undefined ? undefined : await replaceable(tx, conversation, caller, supersedes);
      await call.quota.send(tx, 'message', quotaSubjectsOf(caller, conversation), bytes);
      const author = { ...caller.user, isBot: false, locale: services.localeOf(headers) };
      const message = await services.transcript.addMessage(tx, conversation, author, {
        ...content,
        replaced,
        client,
      });
      tx.afterCommit(() => endTyping(services, conversation, caller));
      return response(conversationId, caller, message);
    },
    {
      async runKnown({ chat, caller, quota, headers, input, services, request, keep }) {
        const { conversationId, supersedes, client, ...content } = input;
        // The conversation is not looked up before: of a key with limits, the id of an application can name another one by now.
        if (supersedes !== undefined || caller.key.conversationIds) return undefined;
        return services.transcript.post({
          ...{ chat, caller, conversationId, content, client, quota, request, keep },
          locale: services.localeOf(headers),
          weight: Number(headers.get('content-length') ?? 0),
          respond: (message) => response(conversationId, caller, message),
          onPublished: (conversation) => endTyping(services, conversation, caller),
        });
      },
      async beforeTransaction({ chat, input: { payload }, services: { configurations } }) {
        const count = countFiles(payload);
        // Most messages have no file: they do not need the configuration.
        if (count === 0) return;
        const { perMessage } = (await configurations.webchat(chat.bot)).fileLimits;
        if (perMessage === undefined || count <= perMessage) return;
        throw new ApiError(
          'LimitExceeded',
          `The message has ${count} files, which exceeds the limit of ${perMessage} files.`,
          { limit: perMessage },
        );
      },
      // The page offers its data again for each attempt, also after a reload.
      identifyingBody: ({ client: _, ...message }) => message,
      normalizeBody: (body) =>
        hasPayload(body) ? { ...body, payload: canonicalPayload(body.payload) } : body,
    },
  ),

  handle(messages.listMessages, async ({ tx, caller, params: { conversationId }, input }) => {
    const conversation = await joined(tx, conversationId, caller);
    const { rows, meta } = await readPage({
      kind: 'messages',
      size: limits.pageSize,
      after: decodeCursor('messages', input.nextToken, isWhole),
      sortKey: (row: MessageRow) => row.seq,
      weigh: (row) => bytesOf(row),
      read: (before, limit, bytes) => listMessages(tx, conversation.id, before, limit, bytes),
    });
    const messages = await mapInTurns(rows, (row) =>
      withoutLongValues(serializeMessage(row, conversationId)),
    );
    return { body: { messages, meta } };
  }),

  handle(messages.searchMessages, async ({ tx, caller, input: { text, nextToken } }) => {
    const before = decodeCursor('own messages', nextToken, isPosition);
    const { found, next } = await searchOwnMessages(tx, caller.user.id, text, before);
    const body = {
      messages: found.map((row) =>
        withoutLongValues(serializeMessage(row, row.conversationForeignId ?? row.conversationId)),
      ),
      // A page can end before a message that does not match.
      meta: next ? cutPage('own messages', [next, next], 1, (position) => position).meta : {},
    };
    return { body };
  }),

  handle(messages.getMessage, async ({ tx, caller, params: { id } }) => {
    const message = await existingMessage(tx, id);
    const conversation = await participating(tx, message.conversationId, caller);
    return { body: { message: serializeMessage(message, publicId(conversation)) } };
  }),

  handle(messages.deleteMessage, async ({ tx, caller, params: { id }, services: { transcript } }) => {
    const { conversationId, userId } = await existingMessage(tx, id);
    if (userId !== caller.user.id) {
      throw new ApiError('Forbidden', 'Only the author can delete a message.');
    }
    const conversation = await held(tx, () => existing(tx, caller.user.botId, conversationId));
    await transcript.removeMessage(tx, conversation, await existingMessage(tx, id));
    return { body: {} };
  }),
];

/** Sending ends the typing indicator of the caller. */
const endTyping = (
  { presence }: Pick<ChatServices, 'presence'>,
  conversation: ConversationRow,
  caller: Caller,
): void => presence.setTyping(participantRef(conversation, caller), false, typingTimeoutMs);

function response(conversationId: string, caller: Caller, message: MessageRow) {
  return { body: { message: serializeMessage(message, conversationId, caller.id) }, resource: message.id };
}

/** The number of images, audio, video and other files in a message. */
function countFiles(payload: Payload): number {
  const items = payload.type === 'bloc' ? payload.items : [payload];
  return items.filter(({ type }) => isFileType[type]).length;
}

function hasPayload(body: unknown): body is { payload: unknown } {
  return typeof body === 'object' && body !== null && 'payload' in body;
}
