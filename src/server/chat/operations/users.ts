// Operations on users: a caller may make one, and see, change and delete only themselves.
import * as v from 'valibot';
import type { UserFields } from '../../../protocol/user.ts';
import { ApiError } from '../../api/errors.ts';
import { schemas } from '../../api/schemas.ts';
import { toUser } from '../../api/serializers.ts';
import { proofHeader } from '../../auth/proof-of-work.ts';
import { issuedClaims } from '../../auth/user-keys.ts';
import { type Call, reading, type Services, writing } from '../../operations/operation.ts';
import { takeDeletedUser } from '../../storage/auth/user-keys.ts';
import { insertUser, type UserRow, updateUser, userIdTaken } from '../../storage/chat/users.ts';
import type { WriteTx } from '../../storage/database.ts';
import { createId, isServerUserId } from '../../storage/ids.ts';
import { deleteUserNow } from '../user-deletion.ts';

const response = v.object({ user: schemas.user });

export const users = [
  writing({
    id: 'createUser',
    method: 'POST',
    path: '/users',
    summary:
      'Creates a user and gives the key that speaks for them. Refused when apps sign the keys themselves.',
    auth: 'none',
    quota: 'users',
    errors: ['Unauthorized', 'Forbidden', 'AlreadyExists', 'ChallengeRequired'],
    status: 201,
    headers: [proofHeader],
    body: v.object({ ...schemas.userFields.entries, id: v.exactOptional(schemas.foreignId) }),
    response: v.object({ user: schemas.user, key: v.string() }),
    async ahead(call) {
      if (!call.services.personalKeys) call.services.proofOfWork.check(call);
    },
    async run(call) {
      const { tx, chat, quota, body, services } = call;
      const { id, ...fields } = body;
      if (services.personalKeys) {
        throw new ApiError('Unauthorized', 'User keys are signed by the application; use get-or-create.');
      }
      if (id !== undefined && !services.anonymousUserIds) {
        throw new ApiError(
          'Forbidden',
          'Only an application can choose the id of a user. Leave `id` out, or have the application sign a user key ' +
            'for this id and call `POST /users/get-or-create` with it.',
        );
      }
      services.proofOfWork.spend(call);
      const user = await createUser(tx, chat.bot.id, id ?? null, fields, services.now());
      quota.create('users');
      await countProfile(call, user, fields);
      return { body: { user: toUser(user) }, resource: user.id };
    },
    // Signed for every answer, because it is stored nowhere; always the same, so that once revoked it stays revoked.
    finish(body, { chat, services, resource }) {
      const createdAt = Date.parse((body.user as { createdAt: string }).createdAt);
      const key = chat.keys.sign(resource, issuedClaims(resource, createdAt, services.keyLifetime));
      return { ...body, key };
    },
  }),

  writing({
    id: 'getOrCreateUser',
    method: 'POST',
    path: '/users/get-or-create',
    summary: 'Gives the user of the key, made if need be; fields that are given overwrite the stored ones.',
    auth: 'key',
    errors: ['AlreadyExists'],
    status: 201,
    body: schemas.userFields,
    response,
    async run(call) {
      const { tx, chat, caller, quota, body, services } = call;
      const { found } = caller;
      if (found) {
        await countProfile(call, found, body);
        const user = toUser(await changeUser(tx, found, body, services), caller.id);
        return { body: { user }, resource: found.id };
      }
      if (!v.is(schemas.foreignId, caller.id)) {
        throw new ApiError('InvalidPayload', 'The id in the user key is not a valid id.');
      }
      const user = await createUser(tx, chat.bot.id, caller.id, body, services.now());
      quota.create('users');
      await countProfile(call, user, body);
      return { body: { user: toUser(user) }, resource: user.id };
    },
  }),

  reading({
    id: 'getUser',
    method: 'GET',
    path: '/users/me',
    summary: 'Gives the caller.',
    auth: 'user',
    errors: [],
    status: 200,
    response,
    run: async ({ caller }) => ({ body: { user: toUser(caller.user, caller.id) } }),
  }),

  writing({
    id: 'updateUser',
    method: 'PUT',
    path: '/users/me',
    summary: 'Changes the caller; fields that are left out stay as they are.',
    auth: 'user',
    errors: [],
    status: 200,
    body: schemas.userFields,
    response,
    async run(call) {
      const { tx, caller, body, services } = call;
      await countProfile(call, caller.user, body);
      return { body: { user: toUser(await changeUser(tx, caller.user, body, services), caller.id) } };
    },
  }),

  writing({
    id: 'deleteUser',
    method: 'DELETE',
    path: '/users/me',
    summary:
      'Deletes the caller, their files and the conversations they own. What they said in others stays.',
    auth: 'user',
    errors: [],
    status: 200,
    response: schemas.nothing,
    async run({ tx, caller: { user, key }, services }) {
      await deleteUserNow(tx, user, services, key);
      return { body: {} };
    },
  }),
];

/** Counts the fields that a caller stores for a user. Throws RateLimited and QuotaExceeded. */
async function countProfile(
  { tx, quota }: Pick<Call, 'tx' | 'quota'>,
  { id, botId }: UserRow,
  fields: UserFields,
): Promise<void> {
  if (Object.keys(fields).length === 0) return;
  await quota.send(tx, 'profile', { userId: id, botId }, Buffer.byteLength(JSON.stringify(fields)));
}

/**
 * Makes a user of a bot. Throws AlreadyExists for a foreign id that somebody has, or that looks like one of the server.
 * Keys that were signed for an earlier user of the foreign id do not open this one.
 */
export async function createUser(
  tx: WriteTx,
  botId: string,
  foreignId: string | null,
  fields: UserFields,
  now: number,
): Promise<UserRow> {
  // A foreign id that spells a server id would catch the keys of its user, who may be deleted by now.
  if (foreignId !== null && isServerUserId(foreignId)) {
    throw new ApiError('AlreadyExists', 'Ids of this form are made by the server: choose another.');
  }
  if (foreignId !== null && (await userIdTaken(tx, botId, foreignId))) {
    throw new ApiError('AlreadyExists', 'A user with this id exists already.');
  }
  const deletedAt = foreignId === null ? undefined : await takeDeletedUser(tx, botId, foreignId);
  // After the last one of this id was deleted, also where that was in this millisecond: so its first key is valid.
  const createdAt = deletedAt === undefined ? now : Math.max(now, deletedAt + 1);
  const { name = null, pictureUrl = null, profile = null } = fields;
  const id = createId('user');
  const times = { createdAt, updatedAt: createdAt, keysValidAfter: deletedAt ?? null };
  const row = { id, botId, foreignId, name, pictureUrl, profile, ...times };
  await insertUser(tx, row);
  return row;
}

/** Overwrites the fields that are given. */
export async function changeUser(
  tx: WriteTx,
  user: UserRow,
  fields: UserFields,
  { now }: Services,
): Promise<UserRow> {
  if (Object.keys(fields).length === 0) return user;
  return (await updateUser(tx, user.id, fields, now())) ?? user;
}
