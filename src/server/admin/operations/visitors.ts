// Admin operations on the visitors of a bot: list, export of all stored data, and deletion.
import { limits } from '../../../protocol/limits.ts';
import { visitors } from '../../../protocol/operations/admin/visitors.ts';
import type { Visitor } from '../../../protocol/types/visitors.ts';
import { isMember, type Principal } from '../../api/caller.ts';
import { cutPage, decodeCursor, isText } from '../../api/pages.ts';
import { timestamp } from '../../api/serializers.ts';
import { deleteUserNow, type ExportPosition, exportPage } from '../../chat/index.ts';
import type { BotRow } from '../../storage/bots/bots.ts';
import { type ListedUser, listUsers } from '../../storage/chat/exports.ts';
import { findUser, type UserRow } from '../../storage/chat/users.ts';
import type { Tx } from '../../storage/database.ts';
import { publicId } from '../../storage/ids.ts';
import { existingBot, missing } from '../find.ts';
import { handle } from './services.ts';

const isExportPosition = (key: unknown): key is ExportPosition =>
  Array.isArray(key) &&
  key.length === 3 &&
  Number.isSafeInteger(key[0]) &&
  key[0] >= 0 &&
  isText(key[1]) &&
  Number.isSafeInteger(key[2]);

export const visitorHandlers = [
  handle(visitors.listVisitors, async ({ tx, caller, params, input }) => {
    const bot = await existingBot(tx, caller, params.id);
    const before = decodeCursor('visitors', input.nextToken, isText);
    if (input.userId !== undefined) {
      const user = await findUser(tx, bot.id, input.userId);
      return { body: { users: user ? [serializeVisitor(user)] : [], meta: {} } };
    }
    const size = input.pageSize ?? limits.pageSize;
    const found = await listUsers(tx, bot.id, before, size + 1);
    const { rows, meta } = cutPage('visitors', found, size, (row) => row.id);
    return { body: { users: rows.map(serializeVisitor), meta } };
  }),

  handle(
    visitors.exportVisitor,
    async ({ tx, caller, params, input, services, address }) => {
      const { bot, user } = await existingVisitor(tx, caller, params);
      const kind = `export of ${user.id}`;
      const after = decodeCursor(kind, input.nextToken, isExportPosition) ?? ([0, '', -1] as const);
      const chat = `${address()}/chat/${bot.webhookId}`;
      const size = input.pageSize ?? limits.pageSize;
      const { items, next } = await exportPage(
        tx,
        user,
        after,
        size,
        (id, key) => services.files.addresses(chat, id, key).url,
        services.now(),
      );
      const { meta } = next ? cutPage(kind, [next, next], 1, (position) => position) : { meta: {} };
      return { body: { items, meta } };
    },
    {
      // A read, but personal data leaves the server.
      audit: isMember,
    },
  ),

  handle(visitors.createVisitorArchive, async ({ tx, caller, params, services, address }) => {
    const { user } = await existingVisitor(tx, caller, params);
    const { url, expires } = services.archives.addressOf(address(), user.id);
    return { body: { url, expiresAt: timestamp(expires) } };
  }),

  handle(visitors.deleteVisitor, async ({ tx, caller, params, services }) => {
    const { user: found } = await existingVisitor(tx, caller, params);
    await tx.lock(`owner:${found.id}`);
    const { user } = await existingVisitor(tx, caller, params);
    await deleteUserNow(tx, user, services);
    return { body: {} };
  }),
];

/** The visitor that a path names, by foreign id or server id, and their bot. */
async function existingVisitor(
  tx: Tx,
  caller: Principal,
  { id, userId = '' }: Record<string, string>,
): Promise<{ bot: BotRow; user: UserRow }> {
  const bot = await existingBot(tx, caller, id);
  return { bot, user: (await findUser(tx, bot.id, userId)) ?? missing('user') };
}

function serializeVisitor(row: ListedUser): Visitor {
  const { id, name, createdAt } = row;
  const named = name === null ? {} : { name };
  return { id: publicId(row), serverId: id, ...named, createdAt: timestamp(createdAt) };
}
