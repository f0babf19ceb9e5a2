// Operations of the Chat API: messages, their attachments and feedback, and responses to interrupts.
import * as v from 'valibot';
import { localeHeader } from '../../headers.ts';
import { limits } from '../../limits.ts';
import { schemas } from '../../schemas/chat.ts';
import { handlingSchemas } from '../../schemas/handling.ts';
import { clientSchemas, interruptSchemas } from '../../schemas/interrupts.ts';
import { partSchemas } from '../../schemas/parts.ts';
import { maybe } from '../../schemas/values.ts';
import { payloadExamples } from '../examples.ts';
import { mutation, operations, query } from '../operation.ts';

const messageResponse = v.object({ message: schemas.message });

export const feedback = operations({
  setFeedback: mutation({
    route: 'PUT /messages/{id}/feedback',
    summary: 'Sets the caller’s feedback on a message of the bot. It replaces the previous feedback.',
    auth: 'user',
    limitedKeys: true,
    quota: 'messages',
    errors: ['Forbidden', 'ResourceNotFound', 'QuotaExceeded'],
    headers: [localeHeader],
    input: schemas.feedback,
    output: messageResponse,
    sample: { id: '<<botMessage>>', value: 'negative', comment: 'The link does not open.' },
    examples: [{ id: '<<botMessage>>', value: 'negative', comment: 'No' }],
  }),

  deleteFeedback: mutation({
    route: 'DELETE /messages/{id}/feedback',
    summary: 'Deletes the caller’s feedback. Succeeds also if there is none.',
    auth: 'user',
    limitedKeys: true,
    errors: ['Forbidden', 'ResourceNotFound'],
    headers: [localeHeader],
    output: messageResponse,
    examples: [{ id: '<<botMessage>>' }],
  }),
});

export const interrupts = operations({
  claimInterrupt: mutation({
    route: 'POST /interrupts/{id}/claim',
    summary:
      'Begins to run a tool of the page that the bot has called (an interrupt with the reason `client_tool`): one page can, and ' +
      'answers with the same `claim`. The same claim again has the same result; another one is a `RelationConflict`. Without an ' +
      'answer within a minute, the outcome is unknown.',
    auth: 'user',
    limitedKeys: true,
    quota: 'messages',
    errors: ['InvalidPayload', 'ResourceNotFound', 'RelationConflict'],
    input: v.object({ claim: clientSchemas.name }),
    output: v.object({ interrupt: partSchemas.interrupt, messageId: schemas.id }),
    examples: [{ id: '<<clientTool>>', claim: 'page-1' }],
  }),

  respondToInterrupt: mutation({
    route: 'POST /interrupts/{id}/response',
    summary:
      'Answers a question of the bot, an interrupt of one of its messages: the visitor to whom it was put can answer once. The ' +
      'same answer again has the same result; another one is a `RelationConflict`, whose `metadata.interrupt` is the interrupt ' +
      'as it was settled. An answer that breaks the form is an `InvalidPayload`: `metadata.issues` has the `property` and the ' +
      '`rule` of each problem. A tool of the page is answered with `{result}`, `{error}` or `{approved: false}`; the first two by ' +
      'the page that has claimed it.',
    auth: 'user',
    limitedKeys: true,
    quota: 'messages',
    errors: ['ResourceNotFound', 'RelationConflict', 'PayloadTooLarge', 'QuotaExceeded'],
    headers: [localeHeader],
    input: interruptSchemas.response,
    output: v.object({ interrupt: partSchemas.interrupt, messageId: schemas.id }),
    examples: [
      { id: '<<interrupt>>', status: 'resolved', payload: { approved: true, comment: 'It was late.' } },
      { id: '<<otherInterrupt>>', status: 'cancelled' },
    ],
  }),
});

export const attachments = operations({
  createFile: mutation({
    route: 'POST /files',
    summary:
      'Announces a file. Send its bytes to `uploadUrl`, which needs no key: all of them with PUT, or a part ' +
      'with PATCH from the position in Upload-Offset. HEAD returns the offset (a subset of tus 1.0.0).',
    auth: 'user',
    limitedKeys: true,
    quota: 'messages',
    status: 201,
    errors: ['LimitExceeded', 'UnsupportedMediaType', 'QuotaExceeded'],
    input: schemas.fileFields,
    output: v.object({ file: schemas.newFile }),
    sample: { key: 'receipt.pdf', size: 48_213, contentType: 'application/pdf' },
    examples: [{ key: 'a.txt', size: 10, contentType: 'text/plain' }],
  }),
});

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
    output: messageResponse,
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
    output: messageResponse,
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
