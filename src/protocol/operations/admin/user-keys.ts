// Operations of the Admin API: user keys.
import * as v from 'valibot';
import { maybe } from '../../schemas/base/described.ts';
import { schemas } from '../../schemas/chat.ts';
import { mutation, operations } from '../operation.ts';

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
