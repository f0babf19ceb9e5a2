// Operations of a bot on an answer that it writes piece by piece, one request for each. They write nothing themselves:
// what stays is stored when the answer ends.
import * as v from 'valibot';
import { schemas } from '../../api/schemas.ts';
import { reading } from '../../operations/operation.ts';
import { runtimeSchemas } from '../schemas.ts';
import { ownBot, ownConversation } from './find.ts';
import { withCanonicalPayload } from './messages.ts';

export const streams = [
  reading({
    id: 'createStream',
    method: 'POST',
    path: '/streams',
    summary: 'Begins an answer that is written piece by piece. After 60 s without a word it is taken away.',
    auth: 'bot',
    permission: 'chat.write',
    errors: ['ResourceNotFound', 'QuotaExceeded'],
    status: 201,
    body: v.object({ conversationId: schemas.id }),
    response: v.object({ stream: runtimeSchemas.stream }),
    async run({ tx, caller, body, services: { streams } }) {
      const conversation = await ownConversation(tx, caller, body.conversationId);
      return { body: { stream: streams.open(await ownBot(tx, caller), conversation) } };
    },
  }),

  reading({
    id: 'writeStream',
    method: 'POST',
    path: '/streams/{id}/deltas',
    summary:
      'Adds to an answer; ask one after the other. With `position`, the characters before this piece, one that is ' +
      'sent twice is written once. `stopped` says that the visitor wants no more of it.',
    auth: 'bot',
    permission: 'chat.write',
    errors: ['ResourceNotFound'],
    status: 200,
    body: v.object({
      delta: v.string(),
      position: v.exactOptional(v.pipe(v.number(), v.safeInteger(), v.minValue(0))),
    }),
    response: runtimeSchemas.position,
    async run({ caller, params: { id = '' }, body: { delta, position }, services: { streams } }) {
      return { body: { ...streams.write(caller.botId, id, delta, position) } };
    },
  }),

  reading({
    id: 'endStream',
    method: 'POST',
    path: '/streams/{id}/end',
    summary:
      'Ends an answer with the message that stays: the payload, or Markdown of all that was written. Asked again, ' +
      'it gives the same message. One that the visitor stopped gives what they stopped.',
    auth: 'bot',
    permission: 'chat.write',
    errors: ['ResourceNotFound', 'ResourceGone'],
    status: 200,
    body: v.object({
      payload: v.exactOptional(schemas.payload),
      metadata: v.exactOptional(schemas.data),
    }),
    prepare: withCanonicalPayload,
    response: v.object({ message: schemas.message }),
    async run({ caller, params: { id = '' }, body: { payload, metadata }, services: { streams } }) {
      return { body: { message: await streams.end(caller.botId, id, payload, metadata) } };
    },
  }),

  reading({
    id: 'abortStream',
    method: 'POST',
    path: '/streams/{id}/abort',
    summary: 'Ends an answer without a message; what was shown of it is taken away.',
    auth: 'bot',
    permission: 'chat.write',
    errors: ['ResourceNotFound'],
    status: 200,
    response: schemas.nothing,
    async run({ caller, params: { id = '' }, services: { streams } }) {
      streams.abort(caller.botId, id);
      return { body: {} };
    },
  }),
];
