// Operations of the Runtime API: streams.
import * as v from 'valibot';
import { schemas } from '../../schemas/chat.ts';
import { runtimeSchemas } from '../../schemas/runtime.ts';
import { operations, query } from '../operation.ts';

export const streams = operations({
  createStream: query({
    route: 'POST /streams',
    summary: 'Starts an answer that is written piece by piece. After 60 s without a piece it is removed.',
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
      'Adds to an answer; ask one after the other. With `position`, the characters before this piece, one that is ' +
      'sent twice is written once. `stopped` says that the visitor wants no more of it.',
    auth: 'bot',
    permission: 'chat.write',
    errors: ['ResourceNotFound'],
    input: v.object({
      delta: v.string(),
      position: v.exactOptional(v.pipe(v.number(), v.safeInteger(), v.minValue(0))),
    }),
    output: runtimeSchemas.position,
    examples: [{ id: '<<stream>>', delta: 'Hello', position: 0 }],
  }),

  endStream: query({
    route: 'POST /streams/{id}/end',
    summary:
      'Ends an answer with the message that stays: the payload, or Markdown of all that was written. Asked again, ' +
      'it gives the same message. One that the visitor stopped gives what they stopped.',
    auth: 'bot',
    permission: 'chat.write',
    errors: ['ResourceNotFound', 'ResourceGone'],
    input: v.object({
      payload: v.exactOptional(schemas.payload),
      metadata: v.exactOptional(schemas.data),
    }),
    output: v.object({ message: schemas.message }),
    examples: [
      { id: '<<stream>>' },
      { id: '<<stream>>', payload: { type: 'text', text: 'Hello' }, metadata: { a: 1 } },
    ],
  }),

  abortStream: query({
    route: 'POST /streams/{id}/abort',
    summary: 'Ends an answer without a message; what was shown of it is taken away.',
    auth: 'bot',
    permission: 'chat.write',
    errors: ['ResourceNotFound'],
    output: schemas.nothing,
    examples: [{ id: '<<stream>>' }],
  }),
});
