// Operations of the Runtime API: messages.
import * as v from 'valibot';
import { schemas } from '../../schemas/chat.ts';
import { payloadExamples } from '../examples.ts';
import { mutation, operations, query } from '../operation.ts';

const response = v.object({ message: schemas.message });

export const messages = operations({
  createMessage: mutation({
    id: 'createBotMessage',
    route: 'POST /messages',
    summary:
      'Sends a message of the bot. With an `Idempotency-Key` it is sent once, however often it is requested.',
    auth: 'bot',
    permission: 'chat.write',
    status: 201,
    errors: ['ResourceNotFound'],
    input: v.object({
      payload: schemas.payload,
      conversationId: schemas.id,
      metadata: v.exactOptional(schemas.data),
    }),
    output: response,
    examples: payloadExamples.map((payload) => ({ conversationId: '<<conversation>>', payload })),
  }),

  listMessages: query({
    id: 'listBotMessages',
    route: 'GET /messages',
    summary: 'Lists the messages of a conversation, newest first.',
    auth: 'bot',
    permission: 'chat.read',
    errors: ['InvalidQuery', 'ResourceNotFound'],
    input: v.object({ ...schemas.sizedPage, conversationId: schemas.id }),
    output: v.object({ messages: v.array(schemas.message), meta: schemas.meta }),
    examples: [{ conversationId: '<<conversation>>', pageSize: 2 }],
  }),

  getMessage: query({
    id: 'getBotMessage',
    route: 'GET /messages/{id}',
    summary: 'Returns a message of a conversation of the bot.',
    auth: 'bot',
    permission: 'chat.read',
    errors: ['ResourceNotFound'],
    output: response,
    examples: [{ id: '<<message>>' }],
  }),

  deleteMessage: mutation({
    id: 'deleteBotMessage',
    route: 'DELETE /messages/{id}',
    summary: 'Deletes a message that the bot sent.',
    auth: 'bot',
    permission: 'chat.write',
    errors: ['ResourceNotFound'],
    output: schemas.nothing,
    examples: [{ id: '<<botMessage>>' }],
  }),

  createEvent: mutation({
    id: 'createBotEvent',
    route: 'POST /events',
    summary: 'Sends a custom event of the bot to the page. With an `Idempotency-Key` it is sent once.',
    auth: 'bot',
    permission: 'chat.write',
    status: 201,
    errors: ['ResourceNotFound'],
    input: v.object({ payload: schemas.data, conversationId: schemas.id }),
    output: v.object({ event: schemas.event }),
    examples: [{ conversationId: '<<conversation>>', payload: { color: '#0a7a5a', a: [1] } }],
  }),

  getEvent: query({
    id: 'getBotEvent',
    route: 'GET /events/{id}',
    summary: 'Returns a custom event of a conversation of the bot.',
    auth: 'bot',
    permission: 'chat.read',
    errors: ['ResourceNotFound'],
    output: v.object({ event: schemas.event }),
    examples: [{ id: '<<event>>' }],
  }),
});
