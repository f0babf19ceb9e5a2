// Operations on users: a caller may make one, and see, change and delete only themselves.
import * as v from 'valibot';
import type { UserFields } from '../../protocol/user.ts';
import { conversationById, listOwned } from '../db/conversations.ts';
import type { WriteTx } from '../db/database.ts';
import { markFilesDeleted } from '../db/files.ts';
import { conversationsOf } from '../db/participants.ts';
import { blankRequests } from '../db/requests.ts';
import { deleteUser, findUser, insertUser, type UserRow, updateUser, userIdTaken } from '../db/users.ts';
import { ApiError } from '../errors.ts';
import { createId } from '../ids.ts';
import { reading, type Services, writing } from '../operation.ts';
import { proofHeader } from '../proof-of-work.ts';
import { schemas } from '../schemas.ts';
import { toUser } from '../wire.ts';

const response = v.object({ user: schemas.user });

export const users = [
  writing({
    id: 'createUser',
    method: 'POST',
    path: '/users',
    summary:
      'Creates a user and gives the key that speaks for them. Refused when apps sign the keys themselves.',
    auth: 'none',
    errors: ['Unauthorized', 'AlreadyExists', 'ChallengeRequired'],
    status: 201,
    headers: [proofHeader],
    body: v.object({ ...schemas.userFields.entries, id: v.exactOptional(schemas.foreignId) }),
    response: v.object({ user: schemas.user, key: v.string() }),
    async ahead(call) {
      if (!call.services.personalKeys) call.services.proofOfWork.check(call);
    },
    async run(call) {
      const { tx, chat, body, services } = call;
      const { id, ...fields } = body;
      if (services.personalKeys) {
        throw new ApiError('Unauthorized', 'User keys are signed by the application; use get-or-create.');
      }
      services.proofOfWork.spend(call);
      const user = await createUser(tx, chat.bot.id, id ?? null, fields, services.now());
      return { body: { user: toUser(user) }, resource: user.id };
    },
    // The key is made anew for every answer: it is not kept anywhere.
    finish: (body, { chat }) => ({ ...body, key: chat.keys.sign((body.user as { id: string }).id) }),
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
    async run({ tx, chat, caller, body, services }) {
      const found = await findUser(tx, chat.bot.id, caller.id);
      if (found) return { body: { user: toUser(await changeUser(tx, found, body, services), caller.id) } };
      if (!v.is(schemas.foreignId, caller.id)) {
        throw new ApiError('InvalidPayload', 'The id in the user key is not a valid id.');
      }
      const user = await createUser(tx, chat.bot.id, caller.id, body, services.now());
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
    async run({ tx, caller, body, services }) {
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
    async run({ tx, caller: { user }, services: { transcript, onUserRemoved } }) {
      for (;;) {
        const conversations = await listOwned(tx, user.id, undefined, 100);
        if (conversations.length === 0) break;
        for (const conversation of conversations) await transcript.remove(tx, conversation);
      }
      for (const id of await conversationsOf(tx, user.id)) {
        const conversation = await conversationById(tx, id);
        if (conversation) await transcript.removeParticipant(tx, conversation, user);
      }
      await markFilesDeleted(tx, user.id);
      tx.afterCommit(onUserRemoved);
      await deleteUser(tx, user.id);
      await blankRequests(tx, user.id);
      return { body: {} };
    },
  }),
];

/** Makes a user of a bot. Throws AlreadyExists for a foreign id that somebody has. */
export async function createUser(
  tx: WriteTx,
  botId: string,
  foreignId: string | null,
  fields: UserFields,
  now: number,
): Promise<UserRow> {
  // Also the server ids: a foreign id that spells one would catch the requests meant for its user.
  if (foreignId !== null && (await userIdTaken(tx, botId, foreignId))) {
    throw new ApiError('AlreadyExists', 'A user with this id exists already.');
  }
  const { name = null, pictureUrl = null, profile = null } = fields;
  const id = createId('user');
  const row = { id, botId, foreignId, name, pictureUrl, profile, createdAt: now, updatedAt: now };
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
