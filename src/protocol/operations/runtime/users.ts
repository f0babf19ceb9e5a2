// Operations of the Runtime API: users.
import * as v from 'valibot';
import { maybe } from '../../schemas/base/described.ts';
import { schemas } from '../../schemas/chat.ts';
import { runtimeSchemas } from '../../schemas/runtime.ts';
import { mutation, operations, query } from '../operation.ts';

const { newTags, integrationName, discriminateByTags, tagQuery, date } = runtimeSchemas;
const response = v.object({ user: runtimeSchemas.user });
const field = maybe(v.picklist(['createdAt', 'updatedAt']));
const { name, pictureUrl } = schemas.userFields.entries;
const profile = { name, pictureUrl, properties: maybe(newTags), attributes: maybe(newTags) };

export const users = operations({
  createUser: mutation({
    id: 'createBotUser',
    route: 'POST /users',
    summary: 'Creates a user of the bot, who has no user key.',
    auth: 'bot',
    permission: 'chat.write',
    status: 201,
    errors: ['QuotaExceeded'],
    input: v.object({ tags: maybe(newTags), ...profile, integrationName }),
    output: response,
    examples: [{ name: 'Ann', tags: { crm: '4711' }, attributes: { plan: 'pro' } }],
  }),

  getOrCreateUser: mutation({
    id: 'getOrCreateBotUser',
    route: 'POST /users/get-or-create',
    summary:
      'Returns the user with exactly these tags, or creates one. `discriminateByTags` names the tags that decide ' +
      'instead of all; the others are then set. Other fields of the request overwrite those of the user.',
    auth: 'bot',
    permission: 'chat.write',
    errors: ['QuotaExceeded'],
    input: v.object({ tags: newTags, ...profile, integrationName, discriminateByTags }),
    output: v.object({ user: runtimeSchemas.user, meta: runtimeSchemas.created }),
    examples: [{ tags: { crm: '4711', plan: 'pro' }, name: 'Ann', discriminateByTags: ['crm'] }],
  }),

  getUser: query({
    id: 'getBotUser',
    route: 'GET /users/{id}',
    summary: 'Returns a user of the bot. The id of the bot is that of its own user.',
    auth: 'bot',
    permission: 'chat.read',
    errors: ['ResourceNotFound'],
    output: response,
    examples: [{ id: '<<user>>' }],
  }),

  listUsers: query({
    id: 'listBotUsers',
    route: 'GET /users',
    isHeavy: true,
    summary:
      'Lists users of the bot, newest first: by conversation, by tags (also `fid` and `profile`), or by time. The ' +
      'boundary times are excluded.',
    auth: 'bot',
    permission: 'chat.read',
    errors: ['InvalidQuery', 'ResourceNotFound'],
    input: v.object({
      ...schemas.sizedPage,
      conversationId: maybe(schemas.id),
      tags: tagQuery,
      afterDate: maybe(date),
      beforeDate: maybe(date),
      rangeField: field,
      sortField: field,
      sortDirection: maybe(v.picklist(['asc', 'desc'])),
    }),
    output: v.object({ users: v.array(runtimeSchemas.user), meta: schemas.meta }),
    sample: { conversationId: '<<conversation>>', sortField: 'updatedAt' },
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

  updateUser: mutation({
    id: 'updateBotUser',
    route: 'PUT /users/{id}',
    summary:
      'Sets tags, properties, attributes, the name and the picture of a user; null removes one, and so does an ' +
      'empty text for a tag.',
    auth: 'bot',
    permission: 'chat.write',
    errors: ['ResourceNotFound', 'QuotaExceeded'],
    input: v.object({
      tags: maybe(newTags),
      ...profile,
      name: maybe(v.nullable(name.wrapped)),
      pictureUrl: maybe(v.nullable(pictureUrl.wrapped)),
    }),
    output: response,
    examples: [{ id: '<<user>>', name: 'Ann', pictureUrl: null, tags: { crm: '4711' } }],
  }),

  deleteUser: mutation({
    id: 'deleteBotUser',
    route: 'DELETE /users/{id}',
    summary: 'Deletes a user with everything that is stored for them, and ends their user keys.',
    auth: 'bot',
    permission: 'chat.write',
    errors: ['ResourceNotFound'],
    output: schemas.nothing,
    examples: [{ id: '<<other>>' }],
  }),
});
