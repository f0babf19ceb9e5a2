// Operations on the caller's own user keys: renewal, and revocation of one or all of them.
import { randomUUID } from 'node:crypto';
import { userKeys } from '../../../protocol/operations/chat/users.ts';
import type { Caller } from '../../api/caller.ts';
import { ApiError } from '../../api/errors.ts';
import { assertRevocable, revokeKey, revokeKeys } from '../../auth/revocation.ts';
import { issuedClaims } from '../../auth/user-keys.ts';
import { deletePushSubscriptionsOf } from '../../storage/notifications/push-subscriptions.ts';
import { handle } from './services.ts';

export const userKeyHandlers = [
  handle(userKeys.renewKey, async ({ caller, chat, services }) => {
    if (services.settings.USER_KEYS === 'personal') {
      throw new ApiError(
        'Unauthorized',
        'The application signs user keys. Request a new key from the application.',
      );
    }
    // Otherwise the expiry that an application set for a key could be extended.
    if (!isIssued(caller)) {
      throw new ApiError(
        'Forbidden',
        'The application signed this key. Request a new key from the application.',
      );
    }
    // Dated in this transaction, so that a later revocation includes this key.
    const claims = issuedClaims(randomUUID(), services.now(), services.settings.USER_KEY_LIFETIME);
    return { body: {}, oneTimeFields: { key: chat.keys.sign(caller.user.id, claims) } };
  }),

  handle(userKeys.revokeKey, async ({ tx, caller: { user, key }, services }) => {
    await assertRevocable(tx, user, key);
    await revokeKey(tx, user.botId, user, key, services.now());
    tx.afterCommit(() => services.onKeysRevoked(user.id));
    return { body: {} };
  }),

  handle(userKeys.revokeKeys, async ({ tx, caller: { user, key }, services }) => {
    await revokeKeys(tx, user, services.now(), key);
    await deletePushSubscriptionsOf(tx, [user.id]);
    tx.afterCommit(() => services.onKeysRevoked(user.id));
    return { body: {} };
  }),
];

/** Returns true for keys that this server issued. Keys of earlier versions contain only the server id. */
export const isIssued = ({ key, user }: Caller): boolean =>
  key.isIssued || (key.isBare && key.id === user.id);
