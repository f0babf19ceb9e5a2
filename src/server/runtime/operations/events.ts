// Operations of a bot on custom events: it sends them to the page, and reads those of both directions.
import { limits } from '../../../protocol/limits.ts';
import { events } from '../../../protocol/operations/runtime/conversations.ts';
import { ApiError } from '../../api/errors.ts';
import { decodeCursor, isWhole, readPage } from '../../api/pages.ts';
import { assertSize } from '../../api/validation.ts';
import { mapInTurns } from '../../api/yielder.ts';
import { findListedEvent, type ListedEvent, listEvents } from '../../storage/chat/events.ts';
import { bytesOf } from '../../storage/read-bytes.ts';
import { serializeRuntimeEvent } from '../serializers.ts';
import { authorOf, ownBot, ownConversation, ownMessage, visibleConversation } from './find.ts';
import { handle } from './services.ts';

export const eventHandlers = [
  handle(events.createEvent, async ({ tx, caller, input, services: { transcript } }) => {
    const { payload, conversationId, type, messageId, userId } = input;
    assertSize('payload', payload);
    await tx.lock(`conversation:${conversationId}`);
    const conversation = await ownConversation(tx, caller, conversationId);
    const author = await authorOf(tx, caller, conversation, userId);
    if (messageId !== undefined) {
      const { message } = await ownMessage(tx, caller, messageId);
      if (message.conversationId !== conversation.id) {
        throw new ApiError('InvalidPayload', 'messageId: The message is in another conversation.');
      }
    }
    const options = { type: type ?? null, messageId: messageId ?? null };
    const event = await transcript.addEvent(tx, conversation, author, payload, options);
    return { body: { event: serializeRuntimeEvent(event) }, resource: event.id };
  }),

  handle(events.getEvent, async ({ tx, caller, params: { id } }) => {
    const event = await findListedEvent(tx, id);
    const conversation = event && (await visibleConversation(tx, caller, event.conversationId));
    if (!event || !conversation) {
      throw new ApiError('ResourceNotFound', 'The event does not exist.');
    }
    return { body: { event: serializeRuntimeEvent(event) } };
  }),

  handle(events.listEvents, async ({ tx, caller, input }) => {
    const { type, messageId, status } = input;
    const conversation = await ownConversation(tx, caller, input.conversationId);
    const after = decodeCursor('bot events', input.nextToken, isWhole);
    // Events of this server are neither ignored nor scheduled.
    if (status === 'ignored' || status === 'scheduled') return { body: { events: [], meta: {} } };
    const size = input.pageSize ?? limits.pageSize;
    const userId = input.userId === caller.botId ? (await ownBot(tx, caller)).userId : input.userId;
    const filter = { conversationId: conversation.id, type, userId, messageId, status };
    const { rows, meta } = await readPage({
      kind: 'bot events',
      size,
      after,
      sortKey: (row: ListedEvent) => row.seq,
      weigh: (row) => bytesOf(row),
      read: (before, limit, bytes) => listEvents(tx, { ...filter, before }, limit, bytes),
    });
    return { body: { events: await mapInTurns(rows, serializeRuntimeEvent), meta } };
  }),
];
