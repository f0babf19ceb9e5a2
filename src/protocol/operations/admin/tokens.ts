// Operations of the Admin API: tokens.
import * as v from 'valibot';
import { admin } from '../../schemas/admin.ts';
import { maybe } from '../../schemas/base/described.ts';
import { schemas } from '../../schemas/chat.ts';
import { mutation, operations, query } from '../operation.ts';

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
