// Operations on users: a caller can create a user, and can read, change and delete only themselves.
import { proofHeader } from '../../../protocol/headers.ts';
import { users } from '../../../protocol/operations/chat/users.ts';
import type { UserFields } from '../../../protocol/user.ts';
import { ApiError } from '../../api/errors.ts';
import type { Call } from '../../api/handler.ts';
import { assertUnlimited, issuedClaims, problemOfId, userFor } from '../../auth/user-keys.ts';
import { takeDeletedUser } from '../../storage/admin/user-keys.ts';
import { insertUser, type UserRow, updateUser, userIdTaken } from '../../storage/chat/users.ts';
import type { WriteTx } from '../../storage/database.ts';
import { createId, isServerUserId } from '../../storage/ids.ts';
import type { LockName } from '../../storage/locks.ts';
import { storePreChatForm } from '../pre-chat-form.ts';
import { serializeConversation, serializeUser } from '../serializers.ts';
import { deleteUserNow } from '../user-deletion.ts';
import { type ChatServices, handle, handleDecorated } from './services.ts';

export const userHandlers = [
  handleDecorated(
    users.createUser,
    async (call) => {
      const { tx, chat, quota, headers, input, services } = call;
      const { id, firstConversation, preChatForm, ...given } = input;
      const fields = { ...given, ...(preChatForm?.name !== undefined && { name: preChatForm.name }) };
      if (preChatForm && !firstConversation) {
        throw new ApiError('InvalidPayload', 'preChatForm: Expected together with `firstConversation`.');
      }
      if (services.settings.USER_KEYS === 'personal') {
        throw new ApiError(
          'Unauthorized',
          'The application signs user keys. Use `POST /users/get-or-create`.',
        );
      }
      if (id !== undefined && services.settings.ANONYMOUS_USER_IDS === 'refuse') {
        throw new ApiError(
          'Forbidden',
          'Only an application can choose the id of a user. Leave `id` out, or have the application sign a user key ' +
            'for this id and call `POST /users/get-or-create` with it.',
        );
      }
      await services.proofOfWork.spend(call);
      const user = await createUser(tx, chat.bot.id, id ?? null, fields, services.now());
      quota.create('users');
      await countProfile(call, user, fields);
      const body = { user: serializeUser(user) };
      if (!firstConversation) return { body, resource: user.id };
      quota.create('conversations');
      const locale = services.localeOf(headers);
      const conversation = await services.transcript.createConversation(tx, user, null, locale);
      if (preChatForm) {
        const { name: _, ...answers } = preChatForm;
        const now = services.now();
        await storePreChatForm({ tx, quota, now }, user, conversation.id, answers, locale);
      }
      return { body: { ...body, conversation: serializeConversation(conversation) }, resource: user.id };
    },
    {
      locks({ chat, headers, input: { id } }) {
        const proof = headers.get(proofHeader.name);
        return [
          ...(id === undefined ? [] : [lockOfUserId(chat.bot.id, id)]),
          // A repeated request waits for the response of the first one, which has used its proof.
          ...(proof === null ? [] : [`owner:proof ${proof.slice(0, 100)}` as const]),
        ];
      },
      async beforeTransaction(call) {
        const { settings, proofOfWork } = call.services;
        if (settings.USER_KEYS === 'issued') proofOfWork.check(call);
      },
      // Signed for every response, because it is never stored. A retry returns the same key, so a revoked key stays revoked.
      decorateResponse(body, { chat, services, resource }) {
        const createdAt = Date.parse(body.user.createdAt);
        const claims = issuedClaims(resource, createdAt, services.settings.USER_KEY_LIFETIME);
        const key = chat.keys.sign(resource, claims);
        return { ...body, key };
      },
    },
  ),

  handle(
    users.getOrCreateUser,
    async (call) => {
      const { tx, chat, caller, quota, input, services } = call;
      const { found } = caller;
      if (Object.keys(input).length > 0) assertUnlimited(caller.key);
      if (found) {
        const user = serializeUser(await changeUser(tx, found, input, services), caller.id);
        await countProfile(call, found, input);
        return { body: { user: userFor(caller.key, user) }, resource: found.id };
      }
      const problem = problemOfId(caller.id);
      if (problem !== undefined) {
        throw new ApiError('InvalidPayload', `The id in the user key is not a valid id: ${problem}`);
      }
      const user = await createUser(tx, chat.bot.id, caller.id, input, services.now());
      quota.create('users');
      await countProfile(call, user, input);
      return { body: { user: serializeUser(user) }, resource: user.id };
    },
    { locks: ({ chat, caller }) => (caller.found ? [] : [lockOfUserId(chat.bot.id, caller.id)]) },
  ),

  handle(users.getUser, async ({ caller: { user, id, key } }) => ({
    body: { user: userFor(key, serializeUser(user, id)) },
  })),

  handle(users.updateUser, async (call) => {
    const { tx, caller, input, services } = call;
    const user = serializeUser(await changeUser(tx, caller.user, input, services), caller.id);
    // After the locks of conversations: a post takes these first, too.
    await countProfile(call, caller.user, input);
    return { body: { user } };
  }),

  handle(users.deleteUser, async ({ tx, caller: { user, key }, services }) => {
    await deleteUserNow(tx, user, services, key);
    return { body: {} };
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

/** The lock of a foreign id: of two requests that create a user with it, the second one finds the user. */
export const lockOfUserId = (botId: string, foreignId: string): LockName => `owner:${botId} ${foreignId}`;

/**
 * Creates a user of a bot. Throws AlreadyExists for a foreign id that is in use or has the form of a server id.
 * Keys that were signed for an earlier user with this foreign id are not valid for the new one.
 */
export async function createUser(
  tx: WriteTx,
  botId: string,
  foreignId: string | null,
  fields: UserFields,
  now: number,
): Promise<UserRow> {
  // A foreign id equal to a server id would accept the keys of that user, who may have been deleted.
  if (foreignId !== null && isServerUserId(foreignId)) {
    throw new ApiError('AlreadyExists', 'Ids of this form are reserved for the server. Choose another id.');
  }
  if (foreignId !== null && (await userIdTaken(tx, botId, foreignId))) {
    throw new ApiError('AlreadyExists', 'A user with this id exists already.');
  }
  const deletedAt = foreignId === null ? undefined : await takeDeletedUser(tx, botId, foreignId);
  // Later than the deletion of the previous user with this id, even within one millisecond, so that the first key is valid.
  const createdAt = deletedAt === undefined ? now : Math.max(now, deletedAt + 1);
  const { name = null, pictureUrl = null, profile = null } = fields;
  const id = createId('user');
  const times = { createdAt, updatedAt: createdAt, keysValidAfter: deletedAt ?? null };
  const row = { id, botId, foreignId, name, pictureUrl, profile, ...times };
  await insertUser(tx, row);
  return row;
}

/** Overwrites the given fields of a user; null removes one. The team is notified if a value has changed. */
export async function changeUser(
  tx: WriteTx,
  user: UserRow,
  fields: { [Name in keyof UserFields]: UserFields[Name] | null } & Pick<UserFields, 'profile'>,
  { now, transcript }: Pick<ChatServices, 'now' | 'transcript'>,
): Promise<UserRow> {
  const names = Object.keys(fields) as (keyof typeof fields)[];
  if (names.length === 0) return user;
  const store = async () => (await updateUser(tx, user.id, fields, now())) ?? user;
  const isSame = names.every((name) => fields[name] === undefined || fields[name] === user[name]);
  return isSame ? store() : transcript.handlings.changeVisitor(tx, user.id, store);
}
