// Operations of the Chat API: messages.
import * as v from 'valibot';
import { localeHeader } from '../../headers/locale.ts';
import { limits } from '../../limits.ts';
import { maybe } from '../../schemas/base/described.ts';
import { schemas } from '../../schemas/chat.ts';
import { clientSchemas } from '../../schemas/client.ts';
import { handlingSchemas } from '../../schemas/handling.ts';
import { payloadExamples } from '../examples.ts';
import { mutation, operations, query } from '../operation.ts';

const response = v.object({ message: schemas.message });

export const messages = operations({
  createMessage: mutation({
    route: 'POST /messages',
    summary:
      'Sends a message to a conversation. All listeners receive it, also the sender, possibly before this ' +
      'response. With `supersedes`, an earlier message of the caller, it takes the place of that message and of all ' +
      'messages after it: they are not shown any more, and the bot stops to answer them. `client`: the tools, the ' +
      'context and the names of blocks of the page, for the bot; nothing returns them.',
    auth: 'user',
    limitedKeys: true,
    quota: 'messages',
    status: 201,
    errors: ['Forbidden', 'LimitExceeded', 'QuotaExceeded', 'RelationConflict', 'ResourceNotFound'],
    headers: [localeHeader],
    input: v.object({
      payload: schemas.payload,
      conversationId: schemas.id,
      metadata: maybe(schemas.data),
      supersedes: maybe(schemas.id),
      client: maybe(clientSchemas.client),
    }),
    output: response,
    sample: { conversationId: '<<conversation>>', payload: { type: 'text', text: 'Where is my order?' } },
    examples: payloadExamples.map((payload) => ({
      conversationId: '<<conversation>>',
      payload,
      metadata: { clientMessageId: 'a', more: [1, { b: null }] },
    })),
  }),

  listMessages: query({
    route: 'GET /conversations/{conversationId}/messages',
    isHeavy: true,
    summary: 'Lists the messages of a conversation, newest first.',
    auth: 'user',
    limitedKeys: true,
    errors: ['Forbidden', 'InvalidQuery'],
    input: schemas.page,
    output: v.object({ messages: v.array(schemas.message), meta: schemas.meta }),
    examples: [{ conversationId: '<<conversation>>' }],
  }),

  searchMessages: query({
    route: 'GET /messages/search',
    isHeavy: true,
    summary:
      'Searches the messages of the conversations that the caller owns for a text, regardless of case and accents, those of ' +
      'the newest conversations first. A page ends after 1,000 messages or a megabyte that were looked at, too, and can have ' +
      'no message: go on while there is a `nextToken`.',
    auth: 'user',
    limitedKeys: false,
    errors: ['InvalidQuery'],
    input: v.object({ ...schemas.page.entries, text: handlingSchemas.text(limits.inbox.searchText) }),
    output: v.object({ messages: v.array(schemas.message), meta: schemas.meta }),
    examples: [{ text: 'order' }],
  }),

  getMessage: query({
    route: 'GET /messages/{id}',
    summary: 'Returns a message of a conversation in which the caller is a participant.',
    auth: 'user',
    limitedKeys: true,
    errors: ['Forbidden', 'ResourceNotFound'],
    output: response,
    examples: [{ id: '<<message>>' }],
  }),

  deleteMessage: mutation({
    route: 'DELETE /messages/{id}',
    summary: 'Deletes a message that the caller sent.',
    auth: 'user',
    limitedKeys: false,
    errors: ['Forbidden', 'ResourceNotFound'],
    output: schemas.nothing,
    examples: [{ id: '<<message>>' }],
  }),
});
