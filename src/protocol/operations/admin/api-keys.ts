// Operations of the Admin API: tokens under the names of the hosted product, personal access tokens and API keys of bots.
import * as v from 'valibot';
import { admin } from '../../schemas/admin.ts';
import { maybe } from '../../schemas/base/described.ts';
import { schemas } from '../../schemas/chat.ts';
import { mutation, operations, query } from '../operation.ts';

const created = v.object({ ...admin.apiKey.entries, value: v.string() });
const noteOnly = v.pipe(
  schemas.id,
  v.trim(),
  v.nonEmpty('Expected a note that is not blank.'),
  v.maxLength(200),
);

export const apiKeys = operations({
  listPersonalAccessTokens: query({
    route: 'GET /account/pats',
    summary: 'Lists the personal tokens of the caller, newest first.',
    auth: 'token',
    errors: ['ResourceNotFound'],
    output: v.object({ pats: v.array(admin.apiKey), meta: schemas.meta }),
  }),

  createPersonalAccessToken: mutation({
    route: 'POST /account/pats',
    summary:
      'Creates a personal token of the caller. Only this response contains its `value`. It expires when the token ' +
      'of the request does. createToken can create one that expires earlier.',
    auth: 'token',
    errors: ['ResourceNotFound', 'AlreadyExists', 'QuotaExceeded'],
    input: v.object({ note: noteOnly }),
    output: v.object({ pat: created }),
    examples: [{ note: 'Laptop' }],
  }),

  deletePersonalAccessToken: mutation({
    route: 'DELETE /account/pats/{id}',
    summary: 'Revokes a personal token of the caller immediately.',
    auth: 'token',
    errors: ['ResourceNotFound'],
    output: schemas.nothing,
    examples: [{ id: '<<ownTokenId>>' }],
  }),

  listBotApiKeys: query({
    route: 'GET /bots/baks',
    summary: 'Lists the tokens of a bot, newest first.',
    auth: 'workspace',
    permission: 'tokens.read',
    errors: ['InvalidQuery', 'ResourceNotFound'],
    input: v.object({ botId: schemas.id }),
    output: v.object({ baks: v.array(admin.apiKey), meta: schemas.meta }),
    examples: [{ botId: '<<bot>>' }],
  }),

  createBotApiKey: mutation({
    route: 'POST /bots/baks',
    summary:
      'Creates a token of a bot. Only this response contains its `value`. It expires when the token of the request ' +
      'does. createToken can create one that expires earlier.',
    auth: 'workspace',
    permission: 'tokens.write',
    errors: ['ResourceNotFound', 'AlreadyExists', 'QuotaExceeded'],
    input: v.object({ botId: schemas.id, note: maybe(noteOnly) }),
    output: created,
    examples: [{ botId: '<<bot>>', note: 'Server' }],
  }),

  deleteBotApiKey: mutation({
    route: 'DELETE /bots/baks/{id}',
    summary: 'Revokes a token of a bot immediately.',
    auth: 'workspace',
    permission: 'tokens.write',
    errors: ['ResourceNotFound'],
    output: schemas.nothing,
    examples: [{ id: '<<botTokenId>>' }],
  }),
});
