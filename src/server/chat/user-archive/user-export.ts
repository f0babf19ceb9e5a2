// The export of a visitor's data: one paginated list of items of several types in a stable order.
import { limits } from '../../../protocol/limits.ts';
import type { ExportItem } from '../../../protocol/visitors.ts';
import { serializeEvent, serializeMessage, timestamp } from '../../api/serializers.ts';
import { nextTurn } from '../../api/yielder.ts';
import { preChatFormsOf } from '../../storage/chat/conversations.ts';
import {
  conversationStatesToExport,
  conversationsToExport,
  filesToExport,
  ownedToExport,
  sentToExport,
  statesToExport,
} from '../../storage/chat/exports.ts';
import { listInvitations } from '../../storage/chat/invitations.ts';
import type { UserRow } from '../../storage/chat/users.ts';
import type { Tx } from '../../storage/database.ts';
import { publicId } from '../../storage/ids.ts';
import { ratingsToExport } from '../../storage/inbox/ratings.ts';
import { findContact } from '../../storage/notifications/contacts.ts';
import { pushSubscriptionsToExport } from '../../storage/notifications/push-subscriptions.ts';
import { batchBytes, isCut } from '../../storage/read-bytes.ts';
import type { StateRow } from '../../storage/runtime/states.ts';
import { tagsOf } from '../../storage/runtime/tags.ts';
import { serializeRating } from '../handling/ratings.ts';
import { serializeConversation, serializeFile, serializeInvitation, serializeUser } from '../serializers.ts';

/** The end of a page: the section, the id or conversation id of its last row, and its sequence number. */
export type ExportPosition = readonly [section: number, id: string, seq: number];

/** The number of rows per read. */
const batchSize = 20;

/** One row of a section: its items, and its position. */
interface Row {
  position: readonly [id: string, seq: number];
  items: ExportItem[];
}

/** Returns the rows after a position. Fewer than `limit` are the last ones, unless `isCut`. */
type Section = (
  tx: Tx,
  user: UserRow,
  after: readonly [id: string, seq: number],
  limit: number,
) => Promise<Row[] | { rows: Row[]; isCut: boolean }>;

/**
 * Returns at most `limit` rows of a user's data after a position, and the position of the next page, undefined on the last.
 * `fileUrl` returns the address of a file; `now` is in milliseconds since 1970.
 */
export async function exportPage(
  tx: Tx,
  user: UserRow,
  after: ExportPosition,
  limit: number,
  fileUrl: (id: string, key: string) => string,
  now: number,
): Promise<{ items: ExportItem[]; next: ExportPosition | undefined }> {
  const all = sections(fileUrl, now);
  const items: ExportItem[] = [];
  let remaining = limit;
  let characters = 0;
  let [section, id, seq] = after;
  while (section < all.length) {
    const wanted = Math.min(remaining, batchSize);
    const found = (await all[section]?.(tx, user, [id, seq], wanted)) ?? [];
    const { rows, isCut } = Array.isArray(found) ? { rows: found, isCut: false } : found;
    for (const row of rows) {
      items.push(...row.items);
      remaining -= 1;
      characters += JSON.stringify(row.items).length;
      if (remaining <= 0 || characters > limits.pageBytes) return { items, next: [section, ...row.position] };
    }
    const last = rows.at(-1);
    const isEnd = !last || (rows.length < wanted && !isCut);
    [section, id, seq] = isEnd ? [section + 1, '', -1] : [section, ...last.position];
    if (isCut) await nextTurn();
  }
  return { items, next: undefined };
}

function sections(fileUrl: (id: string, key: string) => string, now: number): Section[] {
  return [
    async (tx, user, [id]) =>
      id === ''
        ? [
            {
              position: [user.id, 0],
              items: [
                { type: 'user', serverId: user.id, user: serializeUser(user) },
                ...(await tagItemsOf(tx, [user]))(user.id),
              ],
            },
          ]
        : [],
    async (tx, user, [id], limit) => {
      const rows = await conversationsToExport(tx, user.id, id, limit);
      const tagsOf = await tagItemsOf(tx, rows);
      const owned = rows.filter(({ ownerId }) => ownerId === user.id);
      const forms = await preChatFormsOf(
        tx,
        owned.map(({ id }) => id),
      );
      return rows.map((row) => {
        const isOwner = row.ownerId === user.id;
        const conversation = serializeConversation(row);
        const preChatForm = forms.get(row.id);
        return {
          position: [row.id, 0],
          items: [
            { type: 'conversation', isOwner, conversation },
            ...(preChatForm ? [{ type: 'preChatForm' as const, conversationId: row.id, preChatForm }] : []),
            ...(isOwner ? tagsOf(row.id) : []),
          ],
        };
      });
    },
    async (tx, user, after, limit) => {
      const found = await ownedToExport(tx, 'messages', user.id, after, limit, batchBytes);
      const tagsOf = await tagItemsOf(tx, found);
      const rows = found.map(
        (row): Row => ({
          position: [row.conversationId, row.seq],
          items: [...messageItems(row), ...tagsOf(row.id)],
        }),
      );
      return { rows, isCut: isCut(found, batchBytes) };
    },
    async (tx, user, [id], limit) => {
      const found = await sentToExport(tx, 'messages', user.id, id, limit, batchBytes);
      const tagsOf = await tagItemsOf(tx, found);
      const rows = found.map(
        (row): Row => ({
          position: [row.id, 0],
          items: [...messageItems(row), ...tagsOf(row.id)],
        }),
      );
      return { rows, isCut: isCut(found, batchBytes) };
    },
    async (tx, user, after, limit) => {
      const found = await ownedToExport(tx, 'events', user.id, after, limit, batchBytes);
      const rows = found.map(
        (row): Row => ({
          position: [row.conversationId, row.seq],
          items: [{ type: 'event', event: serializeEvent(row, conversationIdOf(row)) }],
        }),
      );
      return { rows, isCut: isCut(found, batchBytes) };
    },
    async (tx, user, [id], limit) => {
      const found = await sentToExport(tx, 'events', user.id, id, limit, batchBytes);
      const rows = found.map(
        (row): Row => ({
          position: [row.id, 0],
          items: [{ type: 'event', event: serializeEvent(row, conversationIdOf(row)) }],
        }),
      );
      return { rows, isCut: isCut(found, batchBytes) };
    },
    async (tx, user, [id], limit) =>
      (await filesToExport(tx, user.id, id, limit)).map((row) => ({
        position: [row.id, 0],
        items: [{ type: 'file', file: { ...serializeFile(row), url: fileUrl(row.id, row.key) } }],
      })),
    // Newest conversation first, as in the list of invitations.
    async (tx, user, [id], limit) =>
      (await listInvitations(tx, user, id || undefined, limit, now)).map((row) => ({
        position: [row.id, 0],
        items: [{ type: 'invitation', invitation: serializeInvitation(row) }],
      })),
    async (tx, user, [name], limit) =>
      (await statesToExport(tx, user.id, name, limit, now)).map((row) => ({
        position: [row.name, 0],
        items: [stateItem(row)],
      })),
    async (tx, user, [after], limit) => {
      // An id contains no space.
      const end = Math.max(0, after.indexOf(' '));
      const last = { id: after.slice(0, end), name: after.slice(end + 1) };
      const rows = await conversationStatesToExport(tx, user.id, last, limit, now);
      return rows.map((row) => ({
        position: [`${row.ownerId} ${row.name}`, 0],
        items: [stateItem(row)],
      }));
    },
    async (tx, user, [id]) => {
      const contact = id === '' ? await findContact(tx, user.id) : undefined;
      if (!contact) return [];
      return [{ position: [user.id, 0], items: [{ type: 'contact', contact: { email: contact.email } }] }];
    },
    async (tx, user, [after], limit) =>
      (await pushSubscriptionsToExport(tx, user.id, after, limit)).map(
        ({ id, endpoint, locale, pageUrl }) => ({
          position: [id, 0],
          items: [{ type: 'push', push: { endpoint, locale, ...(pageUrl !== null && { pageUrl }) } }],
        }),
      ),
    async (tx, user, [id], limit) =>
      (await ratingsToExport(tx, user.id, id, limit)).map((row) => ({
        position: [row.handoffId, 0],
        items: [{ type: 'rating', conversationId: conversationIdOf(row), rating: serializeRating(row) }],
      })),
  ];
}

/** The tags of these resources as items: none for a resource without tags. */
async function tagItemsOf(tx: Tx, rows: readonly { id: string }[]): Promise<(id: string) => ExportItem[]> {
  const of = await tagsOf(
    tx,
    rows.map(({ id }) => id),
  );
  return (id) => {
    const { tags, ...others } = of(id);
    const isEmpty = Object.keys(tags).length === 0 && Object.keys(others).length === 0;
    return isEmpty ? [] : [{ type: 'tags', id, tags, ...others }];
  };
}

const stateItem = ({ ownerId, name, payload, updatedAt }: StateRow): ExportItem => ({
  type: 'state',
  ownerId,
  name,
  payload: JSON.parse(payload) as Record<string, unknown>,
  updatedAt: timestamp(updatedAt),
});

const conversationIdOf = (row: { conversationId: string; conversationForeignId: string | null }): string =>
  publicId({ id: row.conversationId, foreignId: row.conversationForeignId });

type ExportedMessage = Awaited<ReturnType<typeof sentToExport<'messages'>>>[number];

/** A message and its feedback. */
function messageItems(row: ExportedMessage): ExportItem[] {
  const message = serializeMessage(row, conversationIdOf(row));
  const { feedback } = message;
  return [
    { type: 'message', message },
    ...(feedback ? [{ type: 'feedback' as const, messageId: row.id, feedback }] : []),
  ];
}
