// Operations on the caller's own user keys: a new one in time, and the end of one or all of them.

import { randomUUID } from 'node:crypto';
import { userKeys } from '../../../protocol/operations/chat/user-keys.ts';
import { ApiError } from '../../api/errors.ts';
import type { Caller } from '../../auth/caller.ts';
import { revokeKey, revokeKeys } from '../../auth/revocation.ts';
import { issuedClaims } from '../../auth/user-keys.ts';
import { handle } from './services.ts';

export const userKeyHandlers = [
  handle(userKeys.renewKey, async ({ caller, chat, services }) => {
    if (services.personalKeys) {
      throw new ApiError('Unauthorized', 'User keys are signed by the application: ask it for a new one.');
    }
    // Else a key that an application has given an end could be made one without.
    if (!isIssued(caller)) {
      throw new ApiError('Forbidden', 'The application signed this key: ask it for a new one.');
    }
    // Dated in this transaction: keys that are revoked after it include this one.
    const claims = issuedClaims(randomUUID(), services.now(), services.keyLifetime);
    return { body: {}, oneTimeFields: { key: chat.keys.sign(caller.user.id, claims) } };
  }),

  handle(userKeys.revokeKey, async ({ tx, caller: { user, key }, services }) => {
    await revokeKey(tx, user.botId, user, key, services.now());
    tx.afterCommit(() => services.onKeysRevoked(user.id));
    return { body: {} };
  }),

  handle(userKeys.revokeKeys, async ({ tx, caller: { user, key }, services }) => {
    await revokeKeys(tx, user, services.now(), key);
    tx.afterCommit(() => services.onKeysRevoked(user.id));
    return { body: {} };
  }),
];

/** By this version of the server, or by an earlier one: those keys say no more than the server id. */
const isIssued = ({ key, user }: Caller): boolean => key.isIssued || (key.isBare && key.id === user.id);
