// Operations on the caller's own user keys: a new one in time, and the end of one or all of them.
import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { ApiError } from '../../api/errors.ts';
import { schemas } from '../../api/schemas.ts';
import type { Caller } from '../../auth/caller.ts';
import { revokeKey, revokeKeys } from '../../auth/revocation.ts';
import { issuedClaims } from '../../auth/user-keys.ts';
import { writing } from '../../operations/operation.ts';

export const userKeys = [
  writing({
    id: 'renewKey',
    method: 'POST',
    path: '/users/me/key',
    summary: 'Issues a new key to the holder of an issued key. Refused for keys that an application signed.',
    auth: 'user',
    errors: ['Forbidden', 'AlreadyExists'],
    status: 201,
    response: v.object({ key: v.string() }),
    async run({ caller, chat, services }) {
      if (services.personalKeys) {
        throw new ApiError('Unauthorized', 'User keys are signed by the application: ask it for a new one.');
      }
      // Else a key that an application has given an end could be made one without.
      if (!isIssued(caller)) {
        throw new ApiError('Forbidden', 'The application signed this key: ask it for a new one.');
      }
      // Dated in this transaction: keys that are revoked after it include this one.
      const claims = issuedClaims(randomUUID(), services.now(), services.keyLifetime);
      return { body: {}, shownOnce: { key: chat.keys.sign(caller.user.id, claims) } };
    },
  }),

  writing({
    id: 'revokeKey',
    method: 'DELETE',
    path: '/users/me/key',
    summary: 'Revokes the key of the request. Open streams of the user are closed.',
    auth: 'user',
    errors: [],
    status: 200,
    response: schemas.nothing,
    async run({ tx, caller: { user, key }, services }) {
      await revokeKey(tx, user.botId, user, key, services.now());
      tx.afterCommit(() => services.onKeysRevoked(user.id));
      return { body: {} };
    },
  }),

  writing({
    id: 'revokeKeys',
    method: 'DELETE',
    path: '/users/me/keys',
    summary:
      'Revokes all keys of the caller that were signed up to now, and those without `iat` for good. Open streams of the ' +
      'user are closed.',
    auth: 'user',
    errors: [],
    status: 200,
    response: schemas.nothing,
    async run({ tx, caller: { user, key }, services }) {
      await revokeKeys(tx, user, services.now(), key);
      tx.afterCommit(() => services.onKeysRevoked(user.id));
      return { body: {} };
    },
  }),
];

/** By this version of the server, or by an earlier one: those keys say no more than the server id. */
const isIssued = ({ key, user }: Caller): boolean => key.isIssued || (key.isBare && key.id === user.id);
