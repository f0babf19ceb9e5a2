// Operations on conversations: owners create and delete them, participants read them.
import { limits } from '../../../protocol/limits.ts';
import { conversations } from '../../../protocol/operations/chat/conversations.ts';
import { ApiError } from '../../api/errors.ts';
import { decodeCursor, isText, readPage } from '../../api/pages.ts';
import { findConversation } from '../../storage/chat/conversations.ts';
import { listOwnConversations, type OwnConversationRow } from '../../storage/chat/own-conversations.ts';
import { serializeListed } from '../own-conversations.ts';
import { storePreChatForm } from '../pre-chat-form.ts';
import { serializeConversation } from '../serializers.ts';
import { existingMessage, held, joined, owned, participating } from './access.ts';
import { handle } from './services.ts';

export const conversationHandlers = [
  handle(
    conversations.createConversation,
    async ({ tx, caller, quota, headers, input: { id = null, preChatForm }, services }) => {
      // Server ids are checked, too: an equal foreign id would capture requests for that conversation.
      if (id !== null && (await findConversation(tx, caller.user.botId, id))) {
        throw new ApiError('AlreadyExists', 'A conversation with this id exists already.');
      }
      quota.create('conversations');
      const locale = services.localeOf(headers);
      const { handlings, createConversation } = services.transcript;
      const create = async () => {
        const created = await createConversation(tx, caller.user, id, locale);
        const call = { tx, quota, now: services.now() };
        if (preChatForm) await storePreChatForm(call, caller.user, created.id, preChatForm, locale);
        return created;
      };
      // The team sees name and address with earlier conversations of the visitor, too.
      const isKnown = preChatForm?.name !== undefined || preChatForm?.email !== undefined;
      const conversation = await (isKnown ? handlings.changeVisitor(tx, caller.user.id, create) : create());
      return { body: { conversation: serializeConversation(conversation) }, resource: conversation.id };
    },
  ),

  handle(conversations.listConversations, async ({ tx, caller, input }) => {
    const [only] = caller.key.conversationIds ?? [];
    if (only !== undefined)
      return { body: { conversations: [serializeConversation(await owned(tx, only, caller))], meta: {} } };
    const before = decodeCursor('conversations', input.nextToken, isText);
    const { rows, meta } = await readPage({
      kind: 'conversations',
      size: limits.pageSize,
      after: before,
      sortKey: (row: OwnConversationRow) => row.id,
      weigh: ({ firstPayload, lastPayload }) =>
        Buffer.byteLength(firstPayload ?? '') + Buffer.byteLength(lastPayload ?? ''),
      read: (from, limit) => listOwnConversations(tx, caller.user.id, from, limit),
    });
    return { body: { conversations: rows.map(serializeListed), meta } };
  }),

  handle(
    conversations.getOrCreateConversation,
    async ({ tx, caller, quota, headers, input: { id }, services }) => {
      if (await findConversation(tx, caller.user.botId, id)) {
        return { body: { conversation: serializeConversation(await owned(tx, id, caller), id) } };
      }
      quota.create('conversations');
      const locale = services.localeOf(headers);
      const conversation = await services.transcript.createConversation(tx, caller.user, id, locale);
      return { body: { conversation: serializeConversation(conversation, id) }, resource: conversation.id };
    },
  ),

  handle(conversations.getConversation, async ({ tx, caller, params: { id } }) => {
    return { body: { conversation: serializeConversation(await participating(tx, id, caller), id) } };
  }),

  handle(conversations.setRead, async ({ tx, caller, params: { id }, input, services }) => {
    const conversation = await held(tx, () => participating(tx, id, caller));
    const message = await existingMessage(tx, input.messageId);
    if (message.conversationId !== conversation.id) throw missingMessage();
    const reader = { id: caller.user.id, kind: 'visitor' } as const;
    const read = await services.transcript.handlings.markRead(tx, conversation, reader, message.seq);
    if (!read) throw missingMessage();
    return { body: { read } };
  }),

  handle(
    conversations.deleteConversation,
    async ({ tx, caller, params: { id }, services: { transcript } }) => {
      await transcript.removeConversations(tx, [await held(tx, () => owned(tx, id, caller))]);
      return { body: {} };
    },
  ),

  handle(conversations.listenConversation, async ({ tx, caller, params: { id } }) => ({
    conversation: await joined(tx, id, caller),
  })),
];

const missingMessage = () => new ApiError('ResourceNotFound', 'The message does not exist.');
