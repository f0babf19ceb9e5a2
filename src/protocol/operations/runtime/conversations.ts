// Operations of the Runtime API: conversations.
import * as v from 'valibot';
import { limits } from '../../limits.ts';
import { maybe } from '../../schemas/base/described.ts';
import { schemas } from '../../schemas/chat.ts';
import { boundedArray } from '../../schemas/pre-validation.ts';
import { runtimeSchemas } from '../../schemas/runtime.ts';
import { mutation, operations, query } from '../operation.ts';

const { newTags, name, integrationName, discriminateByTags, tagQuery, date } = runtimeSchemas;
const response = v.object({ conversation: runtimeSchemas.conversation });
const count = maybe(schemas.wholeNumber(0, 1_000_000_000));

export const conversations = operations({
  createConversation: mutation({
    id: 'createBotConversation',
    route: 'POST /conversations',
    summary:
      'Creates a conversation of the bot. The first user who is added as a participant becomes its owner.',
    auth: 'bot',
    permission: 'chat.write',
    status: 201,
    errors: ['QuotaExceeded'],
    input: v.object({
      channel: maybe(name),
      tags: maybe(newTags),
      properties: maybe(newTags),
      integrationName,
    }),
    output: response,
    examples: [
      {
        channel: 'channel',
        tags: { topic: 'refund' },
        properties: { order: 'A-1' },
        integrationName: 'chat',
      },
    ],
  }),

  getOrCreateConversation: mutation({
    id: 'getOrCreateBotConversation',
    route: 'POST /conversations/get-or-create',
    summary:
      'Returns the conversation of this channel with exactly these tags, or creates it. `discriminateByTags` names ' +
      'the tags that decide instead of all; the others are then set.',
    auth: 'bot',
    permission: 'chat.write',
    errors: ['QuotaExceeded'],
    input: v.object({
      channel: maybe(name),
      tags: newTags,
      properties: maybe(newTags),
      integrationName,
      discriminateByTags,
    }),
    output: v.object({ conversation: runtimeSchemas.conversation, meta: runtimeSchemas.created }),
    examples: [
      { channel: 'channel', tags: { ticket: '17', topic: 'refund' }, discriminateByTags: ['ticket'] },
    ],
  }),

  getConversation: query({
    id: 'getBotConversation',
    route: 'GET /conversations/{id}',
    summary: 'Returns a conversation of the bot.',
    auth: 'bot',
    permission: 'chat.read',
    errors: ['ResourceNotFound'],
    output: response,
    examples: [{ id: '<<conversation>>' }],
  }),

  listConversations: query({
    id: 'listBotConversations',
    route: 'GET /conversations',
    summary:
      'Lists conversations of the bot, newest first: with all of these tags, with all of these participants ' +
      '(`userId` is one more), of a channel, by the time of their creation, or by the number of messages.',
    auth: 'bot',
    permission: 'chat.read',
    errors: ['InvalidQuery'],
    input: v.object({
      ...schemas.sizedPage,
      userId: maybe(schemas.id),
      participantIds: maybe(boundedArray(schemas.id, limits.filterIds)),
      tags: tagQuery,
      channel: maybe(schemas.id),
      integrationName: maybe(schemas.id),
      afterDate: maybe(date),
      beforeDate: maybe(date),
      minMessageCount: count,
      maxMessageCount: count,
      sortField: maybe(v.picklist(['createdAt', 'updatedAt'])),
      sortDirection: maybe(v.picklist(['asc', 'desc'])),
    }),
    output: v.object({ conversations: v.array(runtimeSchemas.conversation), meta: schemas.meta }),
    examples: [
      { userId: '<<user>>' },
      {
        participantIds: ['<<user>>'],
        tags: { topic: 'refund' },
        channel: 'channel',
        integrationName: 'chat',
        afterDate: '2020-01-01T00:00:00Z',
        minMessageCount: 1,
        sortField: 'updatedAt',
        sortDirection: 'asc',
      },
    ],
  }),

  updateConversation: mutation({
    id: 'updateBotConversation',
    route: 'PUT /conversations/{id}',
    summary: 'Sets tags and properties of a conversation; null or an empty text removes one.',
    auth: 'bot',
    permission: 'chat.write',
    errors: ['ResourceNotFound', 'QuotaExceeded'],
    input: v.object({
      tags: maybe(newTags),
      properties: maybe(newTags),
      currentTaskId: runtimeSchemas.refused('This server has no tasks. Use a tag or a state.'),
    }),
    output: response,
    examples: [{ id: '<<conversation>>', tags: { topic: 'refund', ticket: null } }],
  }),

  deleteConversation: mutation({
    id: 'deleteBotConversation',
    route: 'DELETE /conversations/{id}',
    summary: 'Deletes a conversation with its messages, events, tags and states, and closes its streams.',
    auth: 'bot',
    permission: 'chat.write',
    errors: ['ResourceNotFound'],
    output: schemas.nothing,
    examples: [{ id: '<<conversation>>' }],
  }),
});
