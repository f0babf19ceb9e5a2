// Operations of the Chat API: events.
import * as v from 'valibot';
import { localeHeader } from '../../headers/locale.ts';
import { schemas } from '../../schemas/chat.ts';
import { mutation, operations, query } from '../operation.ts';

const response = v.object({ event: schemas.event });

export const events = operations({
  createEvent: mutation({
    route: 'POST /events',
    summary: 'Sends a custom event to the bot and to all listeners of a conversation.',
    auth: 'user',
    limitedKeys: true,
    quota: 'messages',
    status: 201,
    errors: ['Forbidden', 'QuotaExceeded'],
    headers: [localeHeader],
    input: v.object({ payload: schemas.data, conversationId: schemas.id }),
    output: response,
    sample: { conversationId: '<<conversation>>', payload: { type: 'cart_changed', items: 2 } },
    examples: [{ conversationId: '<<conversation>>', payload: { color: '#0a7a5a', a: [1] } }],
  }),

  getEvent: query({
    route: 'GET /events/{id}',
    summary: 'Returns a custom event of a conversation in which the caller is a participant.',
    auth: 'user',
    limitedKeys: true,
    errors: ['Forbidden', 'ResourceNotFound'],
    output: response,
    examples: [{ id: '<<event>>' }],
  }),
});
