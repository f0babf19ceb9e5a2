// Operations of the Chat API: user keys.
import * as v from 'valibot';
import { schemas } from '../../schemas/chat.ts';
import { mutation, operations } from '../operation.ts';

export const userKeys = operations({
  renewKey: mutation({
    route: 'POST /users/me/key',
    summary: 'Issues a new key to the holder of an issued key. Refused for keys that an application signed.',
    auth: 'user',
    limitedKeys: false,
    status: 201,
    errors: ['Forbidden', 'AlreadyExists'],
    output: v.object({ key: v.string() }),
  }),

  revokeKey: mutation({
    route: 'DELETE /users/me/key',
    summary: 'Revokes the key of the request. Open streams of the user are closed.',
    auth: 'user',
    limitedKeys: true,
    output: schemas.nothing,
  }),

  revokeKeys: mutation({
    route: 'DELETE /users/me/keys',
    summary:
      'Revokes all keys of the caller that were signed until now, and permanently all keys without `iat`. Open ' +
      'streams of the user are closed.',
    auth: 'user',
    limitedKeys: false,
    output: schemas.nothing,
  }),
});
