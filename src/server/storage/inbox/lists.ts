// SQL of the lists of the inbox: pages of rows by index, counts, and what has changed since a time.
import type { AuthorKind, HandoffOutcome } from '../../../protocol/handling.ts';
import {
  type HandledList,
  type InboxCounts,
  type InboxFilter,
  type InboxList,
  type InboxSort,
  inboxLists,
  isHandledList,
  searchTerms,
} from '../../../protocol/inbox.ts';
import { limits } from '../../../protocol/limits.ts';
import type { Tx, Value } from '../database.ts';
import { isBeingDeleted } from '../deletions.ts';
import { inList } from '../dialect.ts';
import { type HandlingRow, handlingColumns } from './handlings.ts';
import { colleagueName } from './members.ts';
import { wordConditions } from './search-index.ts';
import { type Viewer, visibleTo } from './visibility.ts';

/** A handling with what its row of the inbox contains besides it. */
export interface InboxRecord extends Omit<HandlingRow, 'handoffId'> {
  /** This and the fields of the handoff are null only in the list `bot` (bot-list.ts). */
  handoffId: string | null;
  visitorId: string;
  visitorForeignId: string | null;
  visitorName: string | null;
  /** For colleagues. */
  assigneeName: string | null;
  requestedAt: number | null;
  requestedBy: AuthorKind | null;
  reason: string | null;
  closedAt: number | null;
  outcome: HandoffOutcome | null;
}

const select = `SELECT ${handlingColumns('h.')}, c.owner_id AS visitor_id, u.foreign_id AS visitor_foreign_id,
  u.name AS visitor_name, ${colleagueName} AS assignee_name, o.requested_at, o.requested_by, o.reason,
  o.closed_at, o.outcome`;
/** Conversations of a deleted user are inaccessible before they are removed. */
const joins = `JOIN conversations c ON c.id = h.conversation_id AND NOT ${isBeingDeleted('c.owner_id')}
  JOIN handoffs o ON o.id = h.handoff_id LEFT JOIN users u ON u.id = c.owner_id
  LEFT JOIN members m ON m.id = h.assignee_id`;

/** The condition of a list, whose parameter is the member in the lists of a member. */
const conditions: Record<HandledList, string> = {
  mine: "h.assignee_id = ? AND h.state = 'assigned'",
  unassigned: "h.state = 'waiting'",
  waiting: 'h.waiting_since IS NOT NULL',
  mentioned:
    'h.is_open = 1 AND h.conversation_id IN (SELECT n.conversation_id FROM note_mentions n WHERE n.member_id = ?)',
  all: 'h.is_open = 1',
  closed: "h.state = 'closed'",
  snoozed: "h.state = 'snoozed'",
};

/** The counted rows of a list: all of them, but of mentions only unseen ones. */
const countedConditions: Record<HandledList, string> = {
  ...conditions,
  mentioned:
    'h.is_open = 1 AND h.conversation_id IN (SELECT n.conversation_id FROM note_mentions n WHERE n.member_id = ? AND n.seen = 0)',
};

/** Whether the condition of a list has the member as its parameter. */
const isOfMember = (list: HandledList): boolean => list === 'mine' || list === 'mentioned';

export interface ListQuery extends InboxFilter {
  list: HandledList;
  sort?: InboxSort;
}

/** The sort key of a row: its time in the order of the list, and its id. */
export type InboxKey = readonly [number, string];

/** `waiting` is in the order of the waiting times, all others in that of the last changes. */
export const isByWaiting = (list: InboxList): boolean => list === 'waiting';

/** `waiting` begins with those who wait longest, all others with the newest. */
export const defaultSort = (list: InboxList): InboxSort => (isByWaiting(list) ? 'oldest' : 'newest');

/** A page of a list after a sort key. */
export async function listInbox(
  tx: Tx,
  viewer: Viewer,
  { list, sort = defaultSort(list), q, bot, assignee, tag, team }: ListQuery,
  after: InboxKey | undefined,
  limit: number,
): Promise<InboxRecord[]> {
  const column = isByWaiting(list) ? 'h.waiting_since' : 'h.sort_at';
  const isAscending = sort === 'oldest';
  const { workspaceId, memberId } = viewer;
  const where = ['h.workspace_id = ?', conditions[list]];
  const values: Value[] = [workspaceId, ...(isOfMember(list) ? [memberId] : [])];
  const add = (condition: string, ...parameters: Value[]) => {
    where.push(condition);
    values.push(...parameters);
  };
  if (bot !== undefined) add('h.bot_id = ?', bot);
  if (assignee !== undefined) add('h.assignee_id = ?', assignee);
  if (tag !== undefined)
    add('h.conversation_id IN (SELECT t.conversation_id FROM inbox_tags t WHERE t.tag = ?)', tag);
  if (team !== undefined) add('h.team_id = ?', team);
  const visible = visibleTo(viewer);
  add(visible.sql, ...visible.values);
  const terms = searchTerms(q);
  for (const { sql, values } of terms ? wordConditions(workspaceId, terms) : []) add(sql, ...values);
  if (after) add(`(${column}, h.conversation_id) ${isAscending ? '>' : '<'} (?, ?)`, ...after);
  const order = isAscending ? 'ASC' : 'DESC';
  return tx.all(
    `${select} FROM handlings h ${joins} WHERE ${where.join(' AND ')}
     ORDER BY ${column} ${order}, h.conversation_id ${order} LIMIT ?`,
    ...values,
    limit,
  );
}

/** The number of conversations of each list that are counted, up to the limit. */
export async function countInbox(tx: Tx, viewer: Viewer): Promise<InboxCounts> {
  const { workspaceId, memberId } = viewer;
  const visible = visibleTo(viewer);
  const lists = inboxLists.filter(isHandledList);
  const counts = Object.fromEntries(lists.map((list) => [list, 0])) as Record<HandledList, number>;
  for (const list of lists) {
    const row = await tx.get<{ n: number }>(
      `SELECT COUNT(*) AS n FROM (SELECT 1 FROM handlings h WHERE h.workspace_id = ? AND ${countedConditions[list]} AND ${visible.sql} LIMIT ?) AS q`,
      workspaceId,
      ...(isOfMember(list) ? [memberId] : []),
      ...visible.values,
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

/** These conversations, if a person was ever asked for. */
export async function findInboxRecords(tx: Tx, conversationIds: readonly string[]): Promise<InboxRecord[]> {
  const condition = inList(tx, 'h.conversation_id', conversationIds);
  return tx.all(`${select} FROM handlings h ${joins} WHERE ${condition.sql}`, ...condition.values);
}

/** Rows that were changed after a time and an id, in the order of their changes, also those that a viewer may not see. */
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

/** Of these conversations, those that a viewer may see. */
export async function visibleAmong(
  tx: Tx,
  viewer: Viewer,
  conversationIds: readonly string[],
): Promise<Set<string>> {
  const condition = inList(tx, 'h.conversation_id', conversationIds);
  const visible = visibleTo(viewer);
  const rows = await tx.all<{ id: string }>(
    `SELECT h.conversation_id AS id FROM handlings h WHERE ${condition.sql} AND ${visible.sql}`,
    ...condition.values,
    ...visible.values,
  );
  return new Set(rows.map(({ id }) => id));
}

/** The ids of conversations that were deleted from one time to another, both included. */
export async function deletedBetween(
  tx: Tx,
  workspaceId: string,
  from: number,
  to: number,
): Promise<string[]> {
  const rows = await tx.all<{ id: string }>(
    'SELECT conversation_id AS id FROM deleted_handlings WHERE workspace_id = ? AND deleted_at BETWEEN ? AND ?',
    workspaceId,
    from,
    to,
  );
  return rows.map(({ id }) => id);
}

interface HandledConversation {
  conversationId: string;
  workspaceId: string;
}

const columns = 'h.conversation_id, h.workspace_id';

/** The conversations of a visitor for which a person was ever asked, those with the last changes first. */
export async function handledConversationsOf(
  tx: Tx,
  userId: string,
  limit: number,
): Promise<HandledConversation[]> {
  return tx.all(
    `SELECT ${columns} FROM conversations c JOIN handlings h ON h.conversation_id = c.id
     WHERE c.owner_id = ? AND c.has_handling = 1 ORDER BY h.sort_at DESC LIMIT ?`,
    userId,
    limit,
  );
}

/** The conversations of a list for which a person was ever asked. */
export async function handledAmong(
  tx: Tx,
  conversationIds: readonly string[],
): Promise<HandledConversation[]> {
  const condition = inList(tx, 'h.conversation_id', conversationIds);
  return tx.all(`SELECT ${columns} FROM handlings h WHERE ${condition.sql}`, ...condition.values);
}
