// Operations of the Runtime API: states.
import * as v from 'valibot';
import { runtimeSchemas } from '../../schemas/runtime.ts';
import { mutation, operations, query } from '../operation.ts';

const { state, storedObject: payload, expiry, cached } = runtimeSchemas;
const response = v.object({ state });
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
    output: response,
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
    output: response,
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
    output: response,
    examples: [{ ...example, expiry: null }],
  }),
});
