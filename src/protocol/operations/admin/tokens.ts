// Operations of the Admin API: tokens, also under the names of the hosted product (personal access tokens, API keys of bots), and
// user keys.
import * as v from 'valibot';
import { admin } from '../../schemas/admin.ts';
import { schemas } from '../../schemas/chat.ts';
import { maybe } from '../../schemas/values.ts';
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

export const userKeys = operations({
  revokeUserKeys: mutation({
    route: 'POST /bots/{id}/user-keys/revoke',
    summary:
      'Revokes user keys: with `userId`, all keys of that user that were signed until now; with `key`, that ' +
      'key. Open streams of the user are closed.',
    auth: 'workspace',
    permission: 'users.write',
    errors: ['ResourceNotFound'],
    input: v.pipe(
      v.object({ userId: maybe(schemas.id), key: maybe(v.string()) }),
      v.check(
        ({ userId, key }) => (userId === undefined) !== (key === undefined),
        'Expected either userId or key.',
      ),
    ),
    output: schemas.nothing,
    examples: [{ id: '<<bot>>', userId: '<<other>>' }],
  }),
});

export const newToken = v.object({
  name: admin.name,
  kind: admin.kind,
  memberId: maybe(schemas.id),
  botId: maybe(schemas.id),
  integration: maybe(admin.name),
  expiresAt: maybe(admin.timestamp),
});

export const tokens = operations({
  listTokens: query({
    route: 'GET /tokens',
    summary:
      'Lists the caller’s own tokens; with the permission `tokens.read`, all tokens of the workspace. Their ' +
      'values are not included.',
    auth: 'workspace',
    permission: null,
    errors: ['InvalidQuery'],
    input: v.object(schemas.sizedPage),
    output: v.object({ tokens: v.array(admin.token), meta: schemas.meta }),
  }),

  createToken: mutation({
    route: 'POST /tokens',
    summary:
      'Creates a token. Only this response contains its `value`. Personal tokens of the caller need no ' +
      'permission, other tokens need `tokens.write`.',
    auth: 'workspace',
    permission: null,
    errors: ['Forbidden', 'ResourceNotFound', 'AlreadyExists', 'QuotaExceeded'],
    input: newToken,
    output: v.object({ token: admin.token, value: v.string() }),
    sample: { name: 'Laptop', kind: 'personal', expiresAt: '2027-12-31T00:00:00Z' },
    examples: [
      { name: 'Laptop', kind: 'personal', expiresAt: '2999-01-01T00:00:00Z' },
      { name: 'Bot', kind: 'bot', botId: '<<bot>>' },
      { name: 'CRM', kind: 'integration', botId: '<<bot>>', integration: 'crm' },
    ],
  }),

  getCurrentToken: query({
    route: 'GET /tokens/current',
    summary:
      'Returns the token of the request, with its permissions. A request with a session has none (404).',
    auth: 'token',
    errors: ['ResourceNotFound'],
    output: v.object({ token: admin.currentToken }),
  }),

  deleteToken: mutation({
    route: 'DELETE /tokens/{id}',
    summary:
      'Revokes a token immediately. The caller’s own tokens need no permission; `current` is the token of the ' +
      'request.',
    auth: 'workspace',
    permission: null,
    errors: ['Forbidden', 'ResourceNotFound'],
    output: schemas.nothing,
    examples: [{ id: '<<tokenId>>' }],
  }),
});
