// Operations on custom events: sent and read by who takes part.
import * as v from 'valibot';
import { ApiError } from '../../api/errors.ts';
import { assertSize } from '../../api/payload-size.ts';
import { schemas } from '../../api/schemas.ts';
import { toEvent } from '../../api/serializers.ts';
import { reading, writing } from '../../operations/operation.ts';
import { findEvent } from '../../storage/chat/events.ts';
import { publicId } from '../../storage/ids.ts';
import { joined, participating, sendersOf } from './access.ts';

const response = v.object({ event: schemas.event });

export const events = [
  writing({
    id: 'createEvent',
    method: 'POST',
    path: '/events',
    summary: 'Sends a custom event to the bot and to all listeners of a conversation.',
    auth: 'user',
    quota: 'messages',
    errors: ['Forbidden', 'QuotaExceeded'],
    status: 201,
    body: v.object({ payload: schemas.data, conversationId: schemas.id }),
    response,
    async run({ tx, caller, quota, body: { conversationId, payload }, services: { transcript } }) {
      const bytes = assertSize('payload', payload);
      const conversation = await joined(tx, conversationId, caller);
      await quota.send(tx, 'message', sendersOf(caller, conversation), bytes);
      const event = await transcript.addEvent(tx, conversation, { ...caller.user, isBot: false }, payload);
      return { body: { event: toEvent(event, conversationId, caller.id) }, resource: event.id };
    },
  }),

  reading({
    id: 'getEvent',
    method: 'GET',
    path: '/events/{id}',
    summary: 'Gives a custom event of a conversation that the caller takes part in.',
    auth: 'user',
    errors: ['Forbidden', 'ResourceNotFound'],
    status: 200,
    response,
    async run({ tx, caller, params: { id = '' } }) {
      const event = await findEvent(tx, id);
      if (!event) throw new ApiError('ResourceNotFound', 'The event does not exist.');
      const conversation = await participating(tx, event.conversationId, caller);
      return { body: { event: toEvent(event, publicId(conversation)) } };
    },
  }),
];
