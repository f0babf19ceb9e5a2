// Operations of the Runtime API: custom events.
import * as v from 'valibot';
import { maybe } from '../../schemas/base/described.ts';
import { schemas } from '../../schemas/chat.ts';
import { runtimeSchemas } from '../../schemas/runtime.ts';
import { mutation, operations, query } from '../operation.ts';

const { refused, name } = runtimeSchemas;
const response = v.object({ event: runtimeSchemas.event });
const noWorkflows = refused('This server has no workflows.');

export const events = operations({
  createEvent: mutation({
    id: 'createBotEvent',
    route: 'POST /events',
    summary:
      'Sends a custom event of the bot to the page of a conversation. With an `Idempotency-Key` it is sent once. ' +
      '`userId`: the bot (the default) or a participant.',
    auth: 'bot',
    permission: 'chat.write',
    status: 201,
    errors: ['ResourceNotFound'],
    input: v.object({
      payload: schemas.data,
      conversationId: schemas.id,
      type: maybe(name),
      userId: maybe(schemas.id),
      messageId: maybe(schemas.id),
      workflowId: noWorkflows,
      schedule: refused('Events cannot be scheduled. Send the event when it is due.'),
    }),
    output: response,
    sample: { conversationId: '<<conversation>>', payload: { type: 'order_shipped', order: '4711' } },
    examples: [
      { conversationId: '<<conversation>>', payload: { color: '#0a7a5a', a: [1] } },
      { conversationId: '<<conversation>>', type: 'order', userId: '<<user>>', payload: {} },
    ],
  }),

  getEvent: query({
    id: 'getBotEvent',
    route: 'GET /events/{id}',
    summary: 'Returns a custom event of a conversation of the bot.',
    auth: 'bot',
    permission: 'chat.read',
    errors: ['ResourceNotFound'],
    output: response,
    examples: [{ id: '<<event>>' }],
  }),

  listEvents: query({
    id: 'listBotEvents',
    route: 'GET /events',
    isHeavy: true,
    summary: 'Lists the custom events of a conversation, newest first: by type, author, message or status.',
    auth: 'bot',
    permission: 'chat.read',
    errors: ['InvalidQuery', 'ResourceNotFound'],
    input: v.object({
      ...schemas.sizedPage,
      conversationId: schemas.id,
      type: maybe(schemas.id),
      userId: maybe(schemas.id),
      messageId: maybe(schemas.id),
      status: maybe(v.picklist(['pending', 'processed', 'ignored', 'failed', 'scheduled'])),
      workflowId: noWorkflows,
    }),
    output: v.object({ events: v.array(runtimeSchemas.event), meta: schemas.meta }),
    examples: [{ conversationId: '<<conversation>>', type: 'custom', status: 'processed', pageSize: 2 }],
  }),
});
