// Operations of a bot on its users.
import { limits } from '../../../protocol/limits.ts';
import { users } from '../../../protocol/operations/runtime/users.ts';
import type { BotPrincipal } from '../../api/caller.ts';
import { ApiError } from '../../api/errors.ts';
import { decodeCursor, readPage } from '../../api/pages.ts';
import { viewerOf } from '../../auth/principal.ts';
import { changeUser, createUser, deleteUserNow } from '../../chat/index.ts';
import { bytesOfUser, type UserRow, updateUser } from '../../storage/chat/users.ts';
import type { WriteTx } from '../../storage/database.ts';
import { areAllVisible } from '../../storage/inbox/visibility.ts';
import { listUsersOf, userTagged } from '../../storage/runtime/lists.ts';
import { one, serializeUsers, userTags } from '../serializers.ts';
import { isTimeKey, timeOf } from './conversations.ts';
import { ownBot, ownConversation, ownUser } from './find.ts';
import { handle, type RuntimeServices } from './services.ts';
import { searchedTags, storeTags, type TagFields } from './tags.ts';

export const userHandlers = [
  handle(users.createUser, async ({ tx, caller, input, services }) => {
    const user = await create(tx, caller, input, services);
    return { body: { user: await one(serializeUsers, tx, user) }, resource: user.id };
  }),

  handle(users.getOrCreateUser, async ({ tx, caller, input, services }) => {
    const { wanted, exactly } = searchedTags(input.tags, input.discriminateByTags);
    await tx.lock(`bot:${caller.botId}`);
    const search = { tags: wanted, exactly, viewer: viewerOf(caller) };
    const found = await userTagged(tx, caller.botId, search);
    if (found) await tx.lock(`owner:${found.id}`);
    const user = found ? await change(tx, found, input, services) : await create(tx, caller, input, services);
    const body = { user: await one(serializeUsers, tx, user), meta: { created: !found } };
    return { body, resource: user.id };
  }),

  handle(users.getUser, async ({ tx, caller, params }) => {
    return { body: { user: await one(serializeUsers, tx, await ownUser(tx, caller, params.id)) } };
  }),

  handle(users.listUsers, async ({ tx, caller, input }) => {
    const { conversationId, tags = {}, rangeField = 'createdAt', sortField = 'createdAt' } = input;
    const isAscending = input.sortDirection === 'asc';
    const list = `bot users ${sortField} ${isAscending}`;
    const from = decodeCursor(list, input.nextToken, isTimeKey);
    if (conversationId !== undefined) await ownConversation(tx, caller, conversationId);
    const { fid, profile, ...others } = tags;
    const size = input.pageSize ?? limits.pageSize;
    const times = { after: timeOf(input.afterDate), before: timeOf(input.beforeDate) };
    const viewer = viewerOf(caller);
    const filter = {
      viewer,
      conversationId,
      tags: others,
      fid,
      profile,
      rangeField,
      sortField,
      isAscending,
    };
    const { rows, meta } = await readPage({
      kind: list,
      size,
      after: from,
      sortKey: (row: UserRow) => [row[sortField], row.id] as const,
      weigh: (row) => bytesOfUser(row),
      read: (after, limit) => listUsersOf(tx, caller.botId, { ...filter, ...times, from: after }, limit),
    });
    return { body: { users: await serializeUsers(tx, rows), meta } };
  }),

  handle(users.updateUser, async ({ tx, caller, params, input, services }) => {
    await tx.lock(`owner:${params.id}`);
    const user = await change(tx, await ownUser(tx, caller, params.id), input, services);
    return { body: { user: await one(serializeUsers, tx, user) } };
  }),

  handle(users.deleteUser, async ({ tx, caller, params, services }) => {
    await tx.lock(`owner:${params.id}`);
    const user = await ownUser(tx, caller, params.id);
    const bot = await ownBot(tx, caller);
    if (user.id === bot.userId) {
      throw new ApiError('Forbidden', 'The user of the bot itself cannot be deleted. Delete the bot.');
    }
    // It would delete conversations that the caller may not even read.
    if (!(await areAllVisible(tx, viewerOf(caller), user.id))) {
      throw new ApiError(
        'Forbidden',
        'The user has other conversations, and only members who see them can delete it.',
      );
    }
    await deleteUserNow(tx, user, services);
    return { body: {} };
  }),
];

type Fields = TagFields & { name?: string | null; pictureUrl?: string | null };

async function create(
  tx: WriteTx,
  caller: BotPrincipal,
  { name, pictureUrl, ...fields }: Fields,
  { now }: Pick<RuntimeServices, 'now'>,
): Promise<UserRow> {
  const profile = { ...(name ? { name } : {}), ...(pictureUrl ? { pictureUrl } : {}) };
  const user = await createUser(tx, caller.botId, null, profile, now());
  await changeTagsOf(tx, user, fields);
  return user;
}

async function change(
  tx: WriteTx,
  user: UserRow,
  { name, pictureUrl, ...fields }: Fields,
  services: Pick<RuntimeServices, 'now' | 'transcript'>,
): Promise<UserRow> {
  const profile = {
    ...(name === undefined ? {} : { name }),
    ...(pictureUrl === undefined ? {} : { pictureUrl }),
  };
  // First, because it takes locks.
  const changed = await changeUser(tx, user, profile, services);
  const isTagged = await changeTagsOf(tx, user, fields);
  return isTagged ? ((await updateUser(tx, user.id, {}, services.now())) ?? changed) : changed;
}

const changeTagsOf = (tx: WriteTx, user: UserRow, fields: TagFields) =>
  storeTags(tx, user, fields, userTags(user), ['fid', 'profile']);
