// Operations on custom events, which participants send and read.
import { events } from '../../../protocol/operations/chat/conversations.ts';
import { ApiError } from '../../api/errors.ts';
import { serializeEvent } from '../../api/serializers.ts';
import { assertSize } from '../../api/validation.ts';
import { findEvent } from '../../storage/chat/events.ts';
import { publicId } from '../../storage/ids.ts';
import { held, joined, participating, quotaSubjectsOf } from './access.ts';
import { handle } from './services.ts';

export const eventHandlers = [
  handle(
    events.createEvent,
    async ({ tx, caller, quota, headers, input: { conversationId, payload }, services }) => {
      const bytes = assertSize('payload', payload);
      const conversation = await held(tx, () => joined(tx, conversationId, caller));
      await quota.send(tx, 'message', quotaSubjectsOf(caller, conversation), bytes);
      const author = { ...caller.user, isBot: false, locale: services.localeOf(headers) };
      const event = await services.transcript.addEvent(tx, conversation, author, payload);
      return { body: { event: serializeEvent(event, conversationId, caller.id) }, resource: event.id };
    },
  ),

  handle(events.getEvent, async ({ tx, caller, params: { id } }) => {
    const event = await findEvent(tx, id);
    if (!event) throw new ApiError('ResourceNotFound', 'The event does not exist.');
    const conversation = await participating(tx, event.conversationId, caller);
    return { body: { event: serializeEvent(event, publicId(conversation)) } };
  }),
];
