// Operations of the Runtime API: conversations.
import * as v from 'valibot';
import { schemas } from '../../schemas/chat.ts';
import { runtimeSchemas } from '../../schemas/runtime.ts';
import { visibilities } from '../../signal.ts';
import { mutation, operations, query } from '../operation.ts';

/** Milliseconds after which the typing indicator of a bot ends, unless it is set again. */
export const typingTimeout = 30_000;
const date = v.pipe(v.string(), v.isoTimestamp('Expected a date and time in ISO 8601.'));
const field = v.exactOptional(v.picklist(['createdAt', 'updatedAt']));
const userQuery = v.object({
  ...schemas.sizedPage,
  conversationId: v.exactOptional(schemas.id),
  tags: v.exactOptional(v.record(v.string(), schemas.id)),
  afterDate: v.exactOptional(date),
  beforeDate: v.exactOptional(date),
  rangeField: field,
  sortField: field,
  sortDirection: v.exactOptional(v.picklist(['asc', 'desc'])),
});

export const conversations = operations({
  getConversation: query({
    id: 'getBotConversation',
    route: 'GET /conversations/{id}',
    summary: 'Returns a conversation of the bot.',
    auth: 'bot',
    permission: 'chat.read',
    errors: ['ResourceNotFound'],
    output: v.object({ conversation: runtimeSchemas.conversation }),
    examples: [{ id: '<<conversation>>' }],
  }),

  listConversations: query({
    id: 'listBotConversations',
    route: 'GET /conversations',
    summary:
      'Lists conversations of the bot, newest first; with `userId`, those in which this user is a participant.',
    auth: 'bot',
    permission: 'chat.read',
    errors: ['InvalidQuery'],
    input: v.object({ ...schemas.sizedPage, userId: v.exactOptional(schemas.id) }),
    output: v.object({ conversations: v.array(runtimeSchemas.conversation), meta: schemas.meta }),
    examples: [{ userId: '<<user>>' }],
  }),

  getUser: query({
    id: 'getBotUser',
    route: 'GET /users/{id}',
    summary: 'Returns a user of the bot.',
    auth: 'bot',
    permission: 'chat.read',
    errors: ['ResourceNotFound'],
    output: v.object({ user: runtimeSchemas.user }),
    examples: [{ id: '<<user>>' }],
  }),

  listUsers: query({
    id: 'listBotUsers',
    route: 'GET /users',
    summary:
      'Lists users of the bot, newest first: by conversation, by tags (`fid`, `profile`), or by time. The ' +
      'boundary times are excluded.',
    auth: 'bot',
    permission: 'chat.read',
    errors: ['InvalidQuery', 'ResourceNotFound'],
    input: userQuery,
    output: v.object({ users: v.array(runtimeSchemas.user), meta: schemas.meta }),
    examples: [
      {
        conversationId: '<<conversation>>',
        tags: { fid: 'a' },
        afterDate: '2020-01-01T00:00:00Z',
        rangeField: 'updatedAt',
        sortField: 'updatedAt',
        sortDirection: 'asc',
      },
    ],
  }),

  setTyping: query({
    id: 'setBotTyping',
    route: 'POST /conversations/{id}/typing',
    summary: `Shows the typing indicator of the bot for ${typingTimeout} ms, or ends it. It also ends with a message.`,
    auth: 'bot',
    permission: 'chat.write',
    errors: ['ResourceNotFound'],
    input: v.object({ typing: v.boolean() }),
    output: schemas.nothing,
    examples: [
      { id: '<<conversation>>', typing: true },
      { id: '<<conversation>>', typing: false },
    ],
  }),

  setVisibility: mutation({
    route: 'POST /conversations/{id}/visibility',
    summary: 'Opens or closes the window on the visitor’s page.',
    auth: 'bot',
    permission: 'chat.write',
    errors: ['ResourceNotFound'],
    input: v.object({ visibility: v.picklist(visibilities) }),
    output: schemas.nothing,
    examples: [{ id: '<<conversation>>', visibility: 'toggle' }],
  }),

  configureWebchat: mutation({
    route: 'POST /conversations/{id}/configuration',
    summary: 'Changes the configuration of the visitor’s widget until the page is reloaded.',
    auth: 'bot',
    permission: 'chat.write',
    errors: ['ResourceNotFound'],
    input: v.object({ configuration: schemas.configuration }),
    output: schemas.nothing,
    examples: [{ id: '<<conversation>>', configuration: { color: '#0a7a5a' } }],
  }),
});
