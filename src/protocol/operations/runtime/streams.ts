// Operations of the Runtime API: streams.
import * as v from 'valibot';
import { maybe } from '../../schemas/base/described.ts';
import { schemas } from '../../schemas/chat.ts';
import { interruptSchemas } from '../../schemas/interrupts.ts';
import { partSchemas } from '../../schemas/parts.ts';
import { runtimeSchemas } from '../../schemas/runtime.ts';
import { operations, query } from '../operation.ts';

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
