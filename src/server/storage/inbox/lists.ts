// SQL of the lists of the inbox: pages of rows by index, counts, and what has changed since a time.
import type { AuthorKind, HandoffOutcome } from '../../../protocol/handling/handling.ts';
import type { InboxCounts, InboxList } from '../../../protocol/handling/inbox.ts';
import { limits } from '../../../protocol/limits.ts';
import type { Tx, Value, WriteTx } from '../database.ts';
import { isBeingDeleted } from '../deletions.ts';
import { inList } from '../dialect.ts';
import { type HandlingRow, handlingColumns } from './handlings.ts';

/** A handling with what its row of the inbox contains besides it. */
export interface InboxRecord extends HandlingRow {
  visitorId: string;
  visitorForeignId: string | null;
  visitorName: string | null;
  requestedAt: number;
  requestedBy: AuthorKind;
  reason: string | null;
  closedAt: number | null;
  outcome: HandoffOutcome | null;
}

const select = `SELECT ${handlingColumns('h.')}, c.owner_id AS "visitorId", u.foreign_id AS "visitorForeignId",
  u.name AS "visitorName", o.requested_at AS "requestedAt", o.requested_by AS "requestedBy", o.reason,
  o.closed_at AS "closedAt", o.outcome`;
/** Conversations of a deleted user are inaccessible before they are removed. */
const joins = `JOIN conversations c ON c.id = h.conversation_id AND NOT ${isBeingDeleted('c.owner_id')}
  JOIN handoffs o ON o.id = h.handoff_id LEFT JOIN users u ON u.id = c.owner_id`;

/** The condition of a list, whose parameter is the member for `mine`. */
const conditions: Record<InboxList, string> = {
  mine: "h.assignee_id = ? AND h.state = 'assigned'",
  unassigned: "h.state = 'waiting'",
  waiting: 'h.waiting_since IS NOT NULL',
  all: 'h.is_open = 1',
  closed: "h.state = 'closed'",
  snoozed: "h.state = 'snoozed'",
};

export interface ListFilter {
  workspaceId: string;
  list: InboxList;
  memberId: string;
  bot?: string | undefined;
  assignee?: string | undefined;
  tag?: string | undefined;
}

/** The sort key of a row: its time in the order of the list, and its id. */
export type InboxKey = readonly [number, string];

/** `waiting` begins with those who wait longest, all others with the newest. */
export const isLongestFirst = (list: InboxList): boolean => list === 'waiting';

/** A page of a list after a sort key. */
export async function listInbox(
  tx: Tx,
  { workspaceId, list, memberId, bot, assignee, tag }: ListFilter,
  after: InboxKey | undefined,
  limit: number,
): Promise<InboxRecord[]> {
  const isLongest = isLongestFirst(list);
  const column = isLongest ? 'h.waiting_since' : 'h.sort_at';
  const where = ['h.workspace_id = ?', conditions[list]];
  const values: Value[] = [workspaceId, ...(list === 'mine' ? [memberId] : [])];
  const add = (condition: string, value: string | undefined) => {
    if (value === undefined) return;
    where.push(condition);
    values.push(value);
  };
  add('h.bot_id = ?', bot);
  add('h.assignee_id = ?', assignee);
  add('EXISTS (SELECT 1 FROM inbox_tags t WHERE t.conversation_id = h.conversation_id AND t.tag = ?)', tag);
  if (after) {
    where.push(`(${column}, h.conversation_id) ${isLongest ? '>' : '<'} (?, ?)`);
    values.push(...after);
  }
  const order = isLongest ? 'ASC' : 'DESC';
  return tx.all(
    `${select} FROM handlings h ${joins} WHERE ${where.join(' AND ')}
     ORDER BY ${column} ${order}, h.conversation_id ${order} LIMIT ?`,
    ...values,
    limit,
  );
}

/** The number of conversations of each list, up to the limit. */
export async function countInbox(tx: Tx, workspaceId: string, memberId: string): Promise<InboxCounts> {
  const counts = { mine: 0, unassigned: 0, waiting: 0, all: 0, closed: 0, snoozed: 0 };
  for (const [list, condition] of Object.entries(conditions) as [InboxList, string][]) {
    const row = await tx.get<{ n: number }>(
      `SELECT COUNT(*) AS "n" FROM (SELECT 1 FROM handlings h WHERE h.workspace_id = ? AND ${condition} LIMIT ?) AS q`,
      workspaceId,
      ...(list === 'mine' ? [memberId] : []),
      limits.inbox.count,
    );
    counts[list] = Number(row?.n ?? 0);
  }
  return counts;
}

/** A conversation of the workspace, if a person was ever asked for. */
export async function findInboxRecord(
  tx: Tx,
  workspaceId: string,
  conversationId: string,
): Promise<InboxRecord | undefined> {
  return tx.get(
    `${select} FROM handlings h ${joins} WHERE h.conversation_id = ? AND h.workspace_id = ?`,
    conversationId,
    workspaceId,
  );
}

/** Rows that were changed after a time and an id, in the order of their changes. */
export async function changedSince(
  tx: Tx,
  workspaceId: string,
  [at, id]: InboxKey,
  limit: number,
): Promise<InboxRecord[]> {
  return tx.all(
    `${select} FROM handlings h ${joins}
     WHERE h.workspace_id = ? AND (h.changed_at, h.conversation_id) > (?, ?)
     ORDER BY h.changed_at, h.conversation_id LIMIT ?`,
    workspaceId,
    at,
    id,
    limit,
  );
}

/** The ids of conversations that were deleted at a time or later. */
export async function deletedSince(tx: Tx, workspaceId: string, at: number): Promise<string[]> {
  const rows = await tx.all<{ id: string }>(
    'SELECT conversation_id AS "id" FROM deleted_handlings WHERE workspace_id = ? AND deleted_at >= ?',
    workspaceId,
    at,
  );
  return rows.map(({ id }) => id);
}

/** The tags of conversations, by their ids. */
export async function inboxTagsOf(
  tx: Tx,
  conversationIds: readonly string[],
): Promise<Map<string, string[]>> {
  const condition = inList(tx, 'conversation_id', conversationIds);
  const rows = await tx.all<{ id: string; tag: string }>(
    `SELECT conversation_id AS "id", tag FROM inbox_tags WHERE ${condition.sql} ORDER BY tag`,
    ...condition.values,
  );
  const tags = new Map<string, string[]>();
  for (const { id, tag } of rows) tags.set(id, [...(tags.get(id) ?? []), tag]);
  return tags;
}

/** Replaces the tags of a conversation. */
export async function setInboxTags(
  tx: WriteTx,
  conversationId: string,
  tags: readonly string[],
): Promise<void> {
  await tx.run('DELETE FROM inbox_tags WHERE conversation_id = ?', conversationId);
  for (const tag of new Set(tags))
    await tx.run('INSERT INTO inbox_tags (conversation_id, tag) VALUES (?, ?)', conversationId, tag);
}
