// Operations of the Runtime API: messages and streamed answers.
import * as v from 'valibot';
import { schemas } from '../../schemas/chat.ts';
import { interruptSchemas } from '../../schemas/interrupts.ts';
import { partSchemas } from '../../schemas/parts.ts';
import { payloadTypes } from '../../schemas/payloads.ts';
import { runtimeSchemas } from '../../schemas/runtime.ts';
import { maybe } from '../../schemas/values.ts';
import { payloadExamples } from '../examples.ts';
import { mutation, operations, query } from '../operation.ts';

const position = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

export const streams = operations({
  createStream: query({
    route: 'POST /streams',
    summary: 'Starts a streamed answer. It is removed after 60 s without a piece.',
    auth: 'bot',
    permission: 'chat.write',
    status: 201,
    errors: ['ResourceNotFound', 'QuotaExceeded'],
    input: v.object({ conversationId: schemas.id }),
    output: v.object({ stream: runtimeSchemas.stream }),
    examples: [{ conversationId: '<<conversation>>' }],
  }),

  writeStream: query({
    route: 'POST /streams/{id}/deltas',
    summary:
      'Appends a piece to a streamed answer; send one piece after the other. `position` is the number of ' +
      'characters before this piece, so that a piece that is sent twice is appended once. `stopped` reports ' +
      'that the visitor stopped the answer. `part` changes a part of the answer, after `delta`: its fields replace those ' +
      'of the part with this `id`, null removes one, `textDelta` is appended to the `text` of reasoning, and a new ' +
      '`id` adds a part. `textPosition` is for `textDelta` what `position` is for `delta`.',
    auth: 'bot',
    permission: 'chat.write',
    errors: ['ResourceNotFound'],
    input: v.object({
      delta: maybe(v.string()),
      position: maybe(position),
      part: maybe(partSchemas.partChange),
      textPosition: maybe(position),
    }),
    output: runtimeSchemas.position,
    examples: [
      { id: '<<stream>>', delta: 'Hello', position: 0 },
      {
        id: '<<stream>>',
        part: { id: 'lookup', type: 'tool', toolName: 'get_order', state: 'input-available' },
      },
    ],
  }),

  endStream: query({
    route: 'POST /streams/{id}/end',
    summary:
      'Ends a streamed answer with a message: the given payload, or Markdown of all pieces. A repeated call ' +
      'returns the same message. If the visitor stopped the answer, the stopped message is returned. `interrupts` are ' +
      'questions that wait for the participant `userId`, which can be left out if there is only one. The bot receives the ' +
      'event `resume` when all of them are settled.',
    auth: 'bot',
    permission: 'chat.write',
    errors: ['ResourceNotFound', 'ResourceGone'],
    input: v.object({
      payload: maybe(schemas.payload),
      metadata: maybe(schemas.data),
      interrupts: maybe(interruptSchemas.newInterrupts),
      userId: maybe(schemas.id),
    }),
    output: v.object({ message: schemas.message }),
    examples: [
      { id: '<<stream>>' },
      { id: '<<stream>>', payload: { type: 'text', text: 'Hello' }, metadata: { a: 1 } },
      {
        id: '<<stream>>',
        interrupts: [{ reason: 'confirmation', message: 'Cancel the order A-1?', state: { order: 'A-1' } }],
      },
    ],
  }),

  abortStream: query({
    route: 'POST /streams/{id}/abort',
    summary: 'Ends a streamed answer without a message; the visitor no longer sees its pieces.',
    auth: 'bot',
    permission: 'chat.write',
    errors: ['ResourceNotFound'],
    output: schemas.nothing,
    examples: [{ id: '<<stream>>' }],
  }),
});

const { newTags, tagQuery, date, refused } = runtimeSchemas;
const messageResponse = v.object({ message: runtimeSchemas.message });
const newMessage = {
  conversationId: schemas.id,
  userId: maybe(schemas.id),
  /** The type may be in the payload, next to it, or both. */
  type: maybe(v.picklist(payloadTypes)),
  metadata: maybe(schemas.data),
  origin: maybe(v.literal('synthetic')),
  schedule: refused('Messages cannot be scheduled. Send the message when it is due.'),
};

export const messages = operations({
  createMessage: mutation({
    id: 'createBotMessage',
    route: 'POST /messages',
    summary:
      'Sends a message of the bot. With an `Idempotency-Key` it is sent once, however often it is requested. The ' +
      '`type` can be in the payload, next to it, or both. `userId` is the bot (the default) or a participant, such ' +
      'as a human agent, in whose name the message is shown. `parts` are what is shown with the text, such as sources; ' +
      'only messages of the bot have them. `as: person`: the message is one of the person at another desk who has accepted the ' +
      'handoff. While a person answers, all other messages are a `HandledByPerson`.',
    auth: 'bot',
    permission: 'chat.write',
    status: 201,
    errors: ['ResourceNotFound', 'QuotaExceeded', 'HandledByPerson'],
    input: v.object({
      ...newMessage,
      as: maybe(v.literal('person')),
      payload: schemas.payload,
      tags: maybe(newTags),
      parts: maybe(partSchemas.newParts),
    }),
    output: messageResponse,
    sample: { conversationId: '<<conversation>>', payload: { type: 'text', text: 'It is on its way.' } },
    examples: [
      ...payloadExamples.map((payload) => ({ conversationId: '<<conversation>>', payload })),
      {
        conversationId: '<<conversation>>',
        userId: '<<user>>',
        type: 'text',
        payload: { type: 'text', text: 'Hello' },
        tags: { topic: 'refund' },
      },
      {
        conversationId: '<<conversation>>',
        payload: { type: 'markdown', markdown: 'Within thirty days [1].' },
        parts: [{ type: 'source', title: 'Returns', url: 'https://example.com/returns' }],
      },
    ],
  }),

  getOrCreateMessage: mutation({
    id: 'getOrCreateBotMessage',
    route: 'POST /messages/get-or-create',
    summary:
      'Returns the message of a conversation with exactly these tags, or sends it. `discriminateByTags` names the ' +
      'tags that decide instead of all; the others are then set.',
    auth: 'bot',
    permission: 'chat.write',
    errors: ['ResourceNotFound', 'QuotaExceeded'],
    input: v.object({
      ...newMessage,
      payload: maybe(schemas.payload),
      tags: newTags,
      discriminateByTags: runtimeSchemas.discriminateByTags,
    }),
    output: v.object({ message: runtimeSchemas.message, meta: runtimeSchemas.created }),
    examples: [
      {
        conversationId: '<<conversation>>',
        type: 'text',
        payload: { type: 'text', text: 'Hello' },
        tags: { step: 'greeting' },
        discriminateByTags: ['step'],
      },
    ],
  }),

  listMessages: query({
    id: 'listBotMessages',
    route: 'GET /messages',
    isHeavy: true,
    summary:
      'Lists messages, newest first: of a conversation, or with all of these tags, or both; by time. The boundary ' +
      'times are excluded.',
    auth: 'bot',
    permission: 'chat.read',
    errors: ['InvalidQuery', 'ResourceNotFound'],
    input: v.object({
      ...schemas.sizedPage,
      conversationId: maybe(schemas.id),
      tags: tagQuery,
      afterDate: maybe(date),
      beforeDate: maybe(date),
    }),
    output: v.object({ messages: v.array(runtimeSchemas.message), meta: schemas.meta }),
    examples: [
      { conversationId: '<<conversation>>', pageSize: 2 },
      { tags: { topic: 'refund' }, afterDate: '2020-01-01T00:00:00Z', beforeDate: '2100-01-01T00:00:00Z' },
    ],
  }),

  getMessage: query({
    id: 'getBotMessage',
    route: 'GET /messages/{id}',
    summary: 'Returns a message of a conversation of the bot.',
    auth: 'bot',
    permission: 'chat.read',
    errors: ['ResourceNotFound'],
    output: messageResponse,
    examples: [{ id: '<<message>>' }],
  }),

  updateMessage: mutation({
    id: 'updateBotMessage',
    route: 'PUT /messages/{id}',
    summary:
      'Sets tags of a message; null or an empty text removes one. Replaces the payload of a message that the bot ' +
      'sent, with one of the same type; the visitor sees the change.',
    auth: 'bot',
    permission: 'chat.write',
    errors: ['ResourceNotFound', 'QuotaExceeded'],
    input: v.object({ tags: maybe(newTags), payload: maybe(schemas.data) }),
    output: messageResponse,
    examples: [
      { id: '<<message>>', tags: { topic: 'refund' } },
      { id: '<<botMessage>>', payload: { text: 'Hello again' } },
    ],
  }),

  updateMessagePart: mutation({
    id: 'updateBotMessagePart',
    route: 'PUT /messages/{id}/parts/{partId}',
    summary:
      'Changes a part of a message that the bot sent, such as the state of a tool: the given fields replace the old ' +
      'ones, null removes one. The visitor sees the change.',
    auth: 'bot',
    permission: 'chat.write',
    errors: ['ResourceNotFound', 'QuotaExceeded', 'PayloadTooLarge'],
    input: v.object({ part: schemas.data }),
    output: messageResponse,
    examples: [
      { id: '<<answer>>', partId: 'lookup', part: { title: 'Looked up order A-1', output: 'On its way' } },
    ],
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
});
