// SQL of the list of visitors of the inbox: each by the conversation that was changed last, found by the index of a bot.
import { botsOfWorkspace } from '../bots/bots.ts';
import type { Tx } from '../database.ts';
import { isBeingDeleted } from '../deletions.ts';
import { inList } from '../dialect.ts';
import { mostRead, nextKeys, stepSize } from './bot-list.ts';
import type { InboxKey } from './lists.ts';
import { seesConversation, type Viewer } from './visibility.ts';

/** A visitor with the conversation that was changed last, and the number of their conversations. */
export interface VisitorRecord {
  id: string;
  name: string | null;
  profile: string | null;
  conversationId: string;
  updatedAt: number;
  conversationCount: number;
}

/** A part of the list after a sort key: its visitors, and the key after which the next part begins, undefined at the end. */
export interface VisitorsPart {
  records: VisitorRecord[];
  next: InboxKey | undefined;
}

/** Reads one part after the other, the visitors with the last activity at first. */
export async function* listVisitors(
  tx: Tx,
  viewer: Viewer,
  after: InboxKey | undefined,
): AsyncGenerator<VisitorsPart> {
  const bots = await botsOfWorkspace(tx, viewer.workspaceId);
  let key = after;
  for (let read = 0; read < mostRead; read += stepSize) {
    const keys = await nextKeys(tx, bots, false, key);
    key = keys.length < stepSize ? undefined : keys.at(-1);
    const records = await visitorsAmong(
      tx,
      viewer,
      keys.map(([, id]) => id),
    );
    yield { records, next: key };
    if (!key) return;
  }
}

/** The visitors whose last conversation is one of these. */
async function visitorsAmong(tx: Tx, viewer: Viewer, ids: readonly string[]): Promise<VisitorRecord[]> {
  const condition = inList(tx, 'c.id', ids);
  const [ofRow, ofNewer, ofCount] = ['c.id', 'n.id', 'k.id'].map((column) =>
    seesConversation(viewer, column),
  ) as [Seen, Seen, Seen];
  const rows = await tx.all<VisitorRecord>(
    `SELECT u.id, u.name, u.profile, c.id AS conversation_id, c.updated_at,
       (SELECT COUNT(*) FROM conversations k WHERE k.owner_id = c.owner_id AND k.message_count > 0 AND ${ofCount.sql})
         AS conversation_count
     FROM conversations c JOIN users u ON u.id = c.owner_id
     WHERE ${condition.sql} AND c.message_count > 0 AND NOT ${isBeingDeleted('c.owner_id')} AND ${ofRow.sql}
       AND NOT EXISTS (SELECT 1 FROM conversations n WHERE n.owner_id = c.owner_id AND n.message_count > 0
         AND (n.updated_at, n.id) > (c.updated_at, c.id) AND ${ofNewer.sql})
     ORDER BY c.updated_at DESC, c.id DESC`,
    ...[...ofCount.values, ...condition.values, ...ofRow.values, ...ofNewer.values],
  );
  return rows.map((row) => ({ ...row, conversationCount: Number(row.conversationCount) }));
}

type Seen = ReturnType<typeof seesConversation>;

/** The ids of the conversations of a visitor that a viewer may see, before an id, those that began last at first. */
export async function conversationsOfVisitor(
  tx: Tx,
  viewer: Viewer,
  ownerId: string,
  before: string | undefined,
  limit: number,
): Promise<string[]> {
  const visible = seesConversation(viewer, 'c.id');
  const rows = await tx.all<{ id: string }>(
    `SELECT c.id FROM conversations c WHERE c.owner_id = ? AND c.id < ? AND c.message_count > 0
       AND NOT ${isBeingDeleted('c.owner_id')} AND ${visible.sql} ORDER BY c.id DESC LIMIT ?`,
    // '~' sorts after every character of an id.
    ...[ownerId, before ?? '~', ...visible.values, limit],
  );
  return rows.map(({ id }) => id);
}
