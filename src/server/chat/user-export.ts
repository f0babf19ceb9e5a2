// The export of a visitor's data: one list of items of several types, read page by page in a stable order.
import type { ExportItem } from '../../protocol/visitor.ts';
import { toConversation, toEvent, toFile, toInvitation, toMessage, toUser } from '../api/serializers.ts';
import {
  conversationsToExport,
  filesToExport,
  ownedToExport,
  sentToExport,
} from '../storage/chat/exports.ts';
import { listInvitations } from '../storage/chat/invitations.ts';
import type { UserRow } from '../storage/chat/users.ts';
import type { Tx } from '../storage/database.ts';
import { publicId } from '../storage/ids.ts';

/** Where a page ends: the section, and the id or the conversation and the place of its last row. */
export type ExportPlace = readonly [section: number, id: string, seq: number];

/** One row of a section: its items, and the place after it. */
interface Row {
  place: readonly [id: string, seq: number];
  items: ExportItem[];
}

type Section = (
  tx: Tx,
  user: UserRow,
  after: readonly [id: string, seq: number],
  limit: number,
) => Promise<Row[]>;

/**
 * Rows of a user's data after a place, at most `limit`, and the place where the next page begins; undefined when there
 * is none. `fileUrl` returns the address of a file; `now` is in milliseconds since 1970.
 */
export async function exportPage(
  tx: Tx,
  user: UserRow,
  after: ExportPlace,
  limit: number,
  fileUrl: (id: string, key: string) => string,
  now: number,
): Promise<{ items: ExportItem[]; next: ExportPlace | undefined }> {
  const all = sections(fileUrl, now);
  const items: ExportItem[] = [];
  let left = limit;
  let [section, id, seq] = after;
  while (section < all.length) {
    const rows = (await all[section]?.(tx, user, [id, seq], left)) ?? [];
    for (const row of rows) items.push(...row.items);
    left -= rows.length;
    const last = rows.at(-1);
    if (left <= 0 && last) return { items, next: [section, ...last.place] };
    [section, id, seq] = [section + 1, '', -1];
  }
  return { items, next: undefined };
}

function sections(fileUrl: (id: string, key: string) => string, now: number): Section[] {
  return [
    async (_, user, [id]) =>
      id === ''
        ? [{ place: [user.id, 0], items: [{ type: 'user', serverId: user.id, user: toUser(user) }] }]
        : [],
    async (tx, user, [id], limit) =>
      (await conversationsToExport(tx, user.id, id, limit)).map((row) => ({
        place: [row.id, 0],
        items: [
          { type: 'conversation', isOwner: row.ownerId === user.id, conversation: toConversation(row) },
        ],
      })),
    async (tx, user, after, limit) =>
      (await ownedToExport(tx, 'messages', user.id, after, limit)).map((row) => ({
        place: [row.conversationId, row.seq],
        items: messageItems(row),
      })),
    async (tx, user, [id], limit) =>
      (await sentToExport(tx, 'messages', user.id, id, limit)).map((row) => ({
        place: [row.id, 0],
        items: messageItems(row),
      })),
    async (tx, user, after, limit) =>
      (await ownedToExport(tx, 'events', user.id, after, limit)).map((row) => ({
        place: [row.conversationId, row.seq],
        items: [{ type: 'event', event: toEvent(row, conversationIdOf(row)) }],
      })),
    async (tx, user, [id], limit) =>
      (await sentToExport(tx, 'events', user.id, id, limit)).map((row) => ({
        place: [row.id, 0],
        items: [{ type: 'event', event: toEvent(row, conversationIdOf(row)) }],
      })),
    async (tx, user, [id], limit) =>
      (await filesToExport(tx, user.id, id, limit)).map((row) => ({
        place: [row.id, 0],
        items: [{ type: 'file', file: { ...toFile(row), url: fileUrl(row.id, row.key) } }],
      })),
    // Newest conversation first, as they are listed to the visitor.
    async (tx, user, [id], limit) =>
      (await listInvitations(tx, user, id || undefined, limit, now)).map((row) => ({
        place: [row.id, 0],
        items: [{ type: 'invitation', invitation: toInvitation(row) }],
      })),
  ];
}

const conversationIdOf = (row: { conversationId: string; conversationForeignId: string | null }): string =>
  publicId({ id: row.conversationId, foreignId: row.conversationForeignId });

type ExportedMessage = Awaited<ReturnType<typeof sentToExport<'messages'>>>[number];

/** A message, and what was thought of it. */
function messageItems(row: ExportedMessage): ExportItem[] {
  const message = toMessage(row, conversationIdOf(row));
  const { feedback } = message;
  return [
    { type: 'message', message },
    ...(feedback ? [{ type: 'feedback' as const, messageId: row.id, feedback }] : []),
  ];
}
