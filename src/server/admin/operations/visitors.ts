// Operations of administrators on the visitors of a bot: found, exported with all that the server has of them, deleted.
import * as v from 'valibot';
import { limits } from '../../../protocol/limits.ts';
import type { ExportItem, Visitor } from '../../../protocol/visitor.ts';
import { cutPage, decodeCursor, isText } from '../../api/cursor.ts';
import { schemas } from '../../api/schemas.ts';
import { toUser } from '../../api/serializers.ts';
import { isMember, type Principal } from '../../auth/principal.ts';
import { deleteUserNow, type ExportPosition, exportPage } from '../../chat/index.ts';
import { reading, writing } from '../../operations/operation.ts';
import type { BotRow } from '../../storage/bots/bots.ts';
import { listUserIds } from '../../storage/chat/exports.ts';
import { findUser, type UserRow, userById } from '../../storage/chat/users.ts';
import type { Tx } from '../../storage/database.ts';
import { existingBot, missing } from '../find.ts';

const visitor = v.object({
  id: v.string(),
  serverId: v.string(),
  name: v.exactOptional(v.string()),
  createdAt: v.pipe(v.string(), v.isoTimestamp()),
}) satisfies v.GenericSchema<unknown, Visitor>;

const item = v.looseObject({
  type: v.picklist([
    'user',
    'conversation',
    'message',
    'feedback',
    'event',
    'file',
    'invitation',
  ] satisfies ExportItem['type'][]),
});

const isExportPlace = (key: unknown): key is ExportPosition =>
  Array.isArray(key) &&
  key.length === 3 &&
  Number.isSafeInteger(key[0]) &&
  key[0] >= 0 &&
  isText(key[1]) &&
  Number.isSafeInteger(key[2]);

export const visitors = [
  reading({
    id: 'listVisitors',
    method: 'GET',
    path: '/bots/{id}/users',
    summary:
      'Lists the visitors of a bot, newest first; with `userId` the one who has this id, their own or that of the server.',
    auth: 'workspace',
    permission: 'users.read',
    errors: ['InvalidQuery', 'ResourceNotFound'],
    status: 200,
    query: v.object({ ...schemas.sizedPage, userId: v.exactOptional(schemas.id) }),
    response: v.object({ users: v.array(visitor), meta: schemas.meta }),
    async run({ tx, caller, params, query }) {
      const bot = await existingBot(tx, caller, params.id);
      const before = decodeCursor('visitors', query.nextToken, isText);
      if (query.userId !== undefined) {
        const user = await findUser(tx, bot.id, query.userId);
        return { body: { users: user ? [toVisitor(user)] : [], meta: {} } };
      }
      const size = query.pageSize ?? limits.pageSize;
      const found = await listUserIds(tx, bot.id, before, size + 1);
      const { rows, meta } = cutPage('visitors', found, size, (id) => id);
      const users = await Promise.all(rows.map((id) => userById(tx, id)));
      return { body: { users: users.flatMap((user) => (user ? [toVisitor(user)] : [])), meta } };
    },
  }),

  reading({
    id: 'exportVisitor',
    method: 'GET',
    path: '/bots/{id}/users/{userId}/export',
    summary:
      'Gives all that the server has of a visitor, in pages: profile, conversations, messages, feedback, events, ' +
      'files, invitations.',
    auth: 'workspace',
    permission: 'users.read',
    // It changes nothing, but data leaves the server.
    audit: isMember,
    errors: ['InvalidQuery', 'ResourceNotFound'],
    status: 200,
    query: v.object(schemas.sizedPage),
    response: v.object({ items: v.array(item), meta: schemas.meta }),
    async run({ tx, caller, params, query, services, address }) {
      const { bot, user } = await existingVisitor(tx, caller, params);
      const kind = `export of ${user.id}`;
      const after = decodeCursor(kind, query.nextToken, isExportPlace) ?? ([0, '', -1] as const);
      const chat = `${address()}/chat/${bot.webhookId}`;
      const size = query.pageSize ?? limits.pageSize;
      const { items, next } = await exportPage(
        tx,
        user,
        after,
        size,
        (id, key) => services.files.addresses(chat, id, key).url,
        services.now(),
      );
      const { meta } = next ? cutPage(kind, [next, next], 1, (place) => place) : { meta: {} };
      return { body: { items, meta } };
    },
  }),

  writing({
    id: 'deleteVisitor',
    method: 'DELETE',
    path: '/bots/{id}/users/{userId}',
    summary:
      'Deletes a visitor with their files and the conversations they own. What they said in others stays.',
    auth: 'workspace',
    permission: 'users.write',
    errors: ['ResourceNotFound'],
    status: 200,
    response: schemas.nothing,
    async run({ tx, caller, params, services }) {
      const { user } = await existingVisitor(tx, caller, params);
      await deleteUserNow(tx, user, services);
      return { body: {} };
    },
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

function toVisitor(row: UserRow): Visitor {
  const { id, name, createdAt } = toUser(row);
  return { id, serverId: row.id, ...(name === undefined ? {} : { name }), createdAt };
}
