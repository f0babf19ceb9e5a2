// Operations of the Chat API: conversations.
import * as v from 'valibot';
import { localeHeader } from '../../headers/locale.ts';
import { maybe } from '../../schemas/base/described.ts';
import { schemas } from '../../schemas/chat.ts';
import { handlingSchemas } from '../../schemas/handling.ts';
import { preChatSchemas } from '../../schemas/visitors/pre-chat-form.ts';
import { mutation, operations, query, subscription } from '../operation.ts';

const response = v.object({ conversation: schemas.conversation });

export const conversations = operations({
  createConversation: mutation({
    route: 'POST /conversations',
    summary:
      'Creates a conversation; the caller becomes its owner and participant. `preChatForm`: the answers to the form before it. ' +
      'Name and e-mail address are stored for the caller, the others with the conversation.',
    auth: 'user',
    limitedKeys: false,
    quota: 'conversations',
    status: 201,
    errors: ['AlreadyExists'],
    headers: [localeHeader],
    input: v.object({
      id: maybe(schemas.foreignId),
      preChatForm: maybe(preChatSchemas.answers),
    }),
    output: response,
    sample: { id: 'order-4711' },
    examples: [
      {},
      { id: 'room/of-<<user>>' },
      {
        preChatForm: {
          name: 'Ann',
          email: 'ann@example.com',
          topic: 'Order',
          consent: 'I agree to the privacy policy.',
          fields: { order: '1234' },
        },
      },
    ],
  }),

  listConversations: query({
    route: 'GET /conversations',
    isHeavy: true,
    summary:
      'Lists the conversations that the caller owns, newest first, with what was said first and last and the number of unread ' +
      'messages.',
    auth: 'user',
    limitedKeys: true,
    errors: ['InvalidQuery'],
    input: schemas.page,
    output: v.object({ conversations: v.array(schemas.listedConversation), meta: schemas.meta }),
  }),

  getOrCreateConversation: mutation({
    route: 'POST /conversations/get-or-create',
    summary:
      'Returns the conversation with this id and creates it if necessary. Refused if another user owns it.',
    auth: 'user',
    limitedKeys: false,
    status: 201,
    errors: ['Forbidden'],
    headers: [localeHeader],
    input: v.object({ id: schemas.foreignId }),
    output: response,
    sample: { id: 'order-4711' },
    examples: [{ id: 'home/of-<<user>>' }],
  }),

  getConversation: query({
    route: 'GET /conversations/{id}',
    summary: 'Returns a conversation in which the caller is a participant.',
    auth: 'user',
    limitedKeys: true,
    errors: ['Forbidden', 'ResourceNotFound'],
    output: response,
    examples: [{ id: '<<conversation>>' }],
  }),

  setRead: mutation({
    route: 'PUT /conversations/{id}/read',
    summary:
      'Records that the caller has read the conversation up to a message: the number of unread messages of the list counts ' +
      'from there. It only rises: an earlier message has no effect. Where the bot has `readReceipts`, the others are told.',
    auth: 'user',
    limitedKeys: true,
    errors: ['Forbidden', 'ResourceNotFound'],
    input: v.object({ messageId: schemas.id }),
    output: v.object({ read: handlingSchemas.readMark }),
    examples: [{ id: '<<conversation>>', messageId: '<<botMessage>>' }],
  }),

  deleteConversation: mutation({
    route: 'DELETE /conversations/{id}',
    summary: 'Deletes a conversation with all its data. Its open streams are closed.',
    auth: 'user',
    limitedKeys: false,
    errors: ['Forbidden', 'ResourceNotFound'],
    output: schemas.nothing,
    examples: [{ id: '<<conversation>>' }],
  }),

  listenConversation: subscription({
    route: 'GET /conversations/{id}/listen',
    summary:
      'Streams the signals of a conversation as server-sent events. To continue a stream, send the id of the ' +
      'last frame as Last-Event-ID. The response repeats this id if nothing was missed; otherwise list the ' +
      'messages.',
    auth: 'user',
    limitedKeys: true,
    errors: ['Forbidden'],
    examples: [{ id: '<<conversation>>' }],
  }),
});
