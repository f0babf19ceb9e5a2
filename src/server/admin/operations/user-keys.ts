// Ends user keys of a bot's visitors: all of one visitor, or one key that has leaked.
import * as v from 'valibot';
import { ApiError } from '../../api/errors.ts';
import { schemas } from '../../api/schemas.ts';
import { revokeKey, revokeKeys } from '../../auth/revocation.ts';
import { existingUser } from '../../chat/index.ts';
import { writing } from '../../operations/operation.ts';
import { findKeyState } from '../../storage/auth/user-keys.ts';
import { existingBot } from '../find.ts';

export const userKeys = [
  writing({
    id: 'revokeUserKeys',
    method: 'POST',
    path: '/bots/{id}/user-keys/revoke',
    summary:
      'Revokes user keys: with `userId` all of that user that were signed up to now, with `key` that one. Open streams ' +
      'of the user are closed.',
    auth: 'workspace',
    permission: 'users.write',
    errors: ['ResourceNotFound'],
    status: 200,
    body: v.pipe(
      v.object({ userId: v.exactOptional(schemas.id), key: v.exactOptional(v.string()) }),
      v.check(
        ({ userId, key }) => (userId === undefined) !== (key === undefined),
        'Expected either userId or key.',
      ),
    ),
    response: schemas.nothing,
    async run({ tx, caller, params, body: { userId = '', key }, services }) {
      const bot = await existingBot(tx, caller, params.id);
      if (key === undefined) {
        const user = await existingUser(tx, bot.id, userId);
        await revokeKeys(tx, user, services.now());
        tx.afterCommit(() => services.onKeysRevoked(user.id));
        return { body: {} };
      }
      // Also one that is not valid yet; for one that has expired nothing changes.
      const claims = services.keys.keysOf(bot).inspect(key);
      if (!claims) throw new ApiError('InvalidPayload', 'key: This is no user key of this bot.');
      const { user } = await findKeyState(tx, bot.id, claims);
      await revokeKey(tx, bot.id, user, claims, services.now());
      if (user) tx.afterCommit(() => services.onKeysRevoked(user.id));
      return { body: {} };
    },
  }),
];
