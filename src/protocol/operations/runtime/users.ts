// Operations of the Runtime API: users and states.
import * as v from 'valibot';
import { schemas } from '../../schemas/chat.ts';
import { runtimeSchemas } from '../../schemas/runtime.ts';
import { maybe } from '../../schemas/values.ts';
import { mutation, operations, query } from '../operation.ts';

const { state, storedObject: payload, expiry, cached } = runtimeSchemas;
const stateResponse = v.object({ state });
const example = { type: 'conversation', id: '<<conversation>>', name: 'cart' };

export const states = operations({
  setState: mutation({
    id: 'setBotState',
    route: 'POST /states/{type}/{id}/{name}',
    summary:
      'Stores a state. A payload of null removes it. `expiry`: milliseconds without a change after which the state ' +
      'expires; null or left out: never.',
    auth: 'bot',
    permission: 'chat.write',
    errors: ['ResourceNotFound', 'QuotaExceeded', 'NotImplemented'],
    input: v.object({ payload: v.nullable(payload), expiry }),
    output: stateResponse,
    sample: { ...example, payload: { items: ['coat'] }, expiry: 3_600_000 },
    examples: [{ ...example, payload: { items: ['a'] }, expiry: 3_600_000 }],
  }),

  getState: query({
    id: 'getBotState',
    route: 'GET /states/{type}/{id}/{name}',
    summary:
      'Returns the state of this name of a conversation, a user or the bot (`type`). Reading it does not defer its ' +
      'expiry. Nothing is cached: `cached` is false.',
    auth: 'bot',
    permission: 'chat.read',
    errors: ['ResourceNotFound', 'NotImplemented'],
    output: v.object({ state, meta: cached }),
    examples: [example],
  }),

  getOrSetState: mutation({
    id: 'getOrSetBotState',
    route: 'POST /states/{type}/{id}/{name}/get-or-set',
    summary: 'Returns the state, or stores it if there is none. Nothing is cached: `cached` is false.',
    auth: 'bot',
    permission: 'chat.write',
    errors: ['ResourceNotFound', 'QuotaExceeded', 'NotImplemented'],
    input: v.object({ payload, expiry }),
    output: v.object({ state, meta: cached }),
    examples: [{ ...example, payload: { items: [] } }],
  }),

  patchState: mutation({
    id: 'patchBotState',
    route: 'PATCH /states/{type}/{id}/{name}',
    summary:
      'Overwrites the given fields of a state, which is created if there is none. An omitted `expiry` is unchanged; ' +
      'the time until the state expires begins again.',
    auth: 'bot',
    permission: 'chat.write',
    errors: ['ResourceNotFound', 'QuotaExceeded', 'NotImplemented'],
    input: v.object({ payload, expiry }),
    output: stateResponse,
    sample: { ...example, payload: { coupon: 'SPRING' } },
    examples: [{ ...example, payload: { coupon: 'X' } }],
  }),

  setStateExpiry: mutation({
    id: 'setBotStateExpiry',
    route: 'POST /states/{type}/{id}/{name}/expiry',
    summary: 'Sets when a state expires, counted from now in milliseconds; null: never.',
    auth: 'bot',
    permission: 'chat.write',
    errors: ['ResourceNotFound', 'NotImplemented'],
    input: v.object({ expiry: v.nullable(expiry.wrapped.wrapped) }),
    output: stateResponse,
    examples: [{ ...example, expiry: null }],
  }),
});

const { newTags, integrationName, discriminateByTags, tagQuery, date } = runtimeSchemas;
const userResponse = v.object({ user: runtimeSchemas.user });
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
    output: userResponse,
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
    output: userResponse,
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
    output: userResponse,
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
