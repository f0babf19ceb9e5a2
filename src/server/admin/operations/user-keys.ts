// The admin operation that revokes user keys of a bot: all keys of one visitor, or one leaked key.
import { userKeys } from '../../../protocol/operations/admin/tokens.ts';
import { ApiError } from '../../api/errors.ts';
import { revokeKey, revokeKeys } from '../../auth/revocation.ts';
import { heldUser } from '../../chat/index.ts';
import { findKeyState } from '../../storage/admin/user-keys.ts';
import { deletePushSubscriptionsOf } from '../../storage/notifications/push-subscriptions.ts';
import { existingBot } from '../find.ts';
import { handle } from './services.ts';

export const userKeyHandlers = [
  handle(userKeys.revokeUserKeys, async ({ tx, caller, params, input: { userId = '', key }, services }) => {
    const bot = await existingBot(tx, caller, params.id);
    if (key === undefined) {
      const user = await heldUser(tx, bot.id, userId);
      await revokeKeys(tx, user, services.now());
      await deletePushSubscriptionsOf(tx, [user.id]);
      tx.afterCommit(() => services.onKeysRevoked(user.id));
      return { body: {} };
    }
    // A key that is not valid yet can be revoked, too. For an expired key, nothing changes.
    const claims = services.keys.keysOf(bot).inspect(key);
    if (!claims) throw new ApiError('InvalidPayload', 'key: This is not a user key of this bot.');
    const { user: found } = await findKeyState(tx, bot.id, claims);
    if (found) await tx.lock(`owner:${found.id}`);
    const { user } = await findKeyState(tx, bot.id, claims);
    await revokeKey(tx, bot.id, user, claims, services.now());
    if (user) tx.afterCommit(() => services.onKeysRevoked(user.id));
    return { body: {} };
  }),
];
