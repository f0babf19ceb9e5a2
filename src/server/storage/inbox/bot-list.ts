// SQL of the list `bot` of the inbox: conversations with a message of a visitor that nobody of the team handles. Most have no row in
// `handlings`, so that they are found by the index of the last changes of a bot.
import type { InboxFilter } from '../../../protocol/inbox.ts';
import { botsOfWorkspace } from '../bots/bots.ts';
import type { MessageRow } from '../chat/messages.ts';
import type { Tx, Value } from '../database.ts';
import { isBeingDeleted } from '../deletions.ts';
import { type Condition, forDialect, inList } from '../dialect.ts';
import { periodMs } from '../migrations/cluster.ts';
import { sortedByTime } from '../runtime/lists.ts';
import type { InboxKey, InboxRecord } from './lists.ts';
import { type Viewer, visibleTo } from './visibility.ts';

/** A row of the list. Without a handoff, its last message is not stored as text. */
export interface BotRecord extends InboxRecord {
  last: Pick<MessageRow, 'payload' | 'isBot' | 'author'> | undefined;
  /** The last message is so large that it was not read: one after the other is. */
  isLarge: boolean;
}

type Columns = InboxRecord & { payload: string | null; author: string | null; isBot: number | null };

/** Bytes of a payload that is read with the row. */
const largeBytes = 20_000;

const nothing = [
  ...['assignee_id', 'person_id', 'person', 'waiting_since', 'queued_at', 'snoozed_until', 'assignee_name'],
].map((name) => `NULL AS ${name}`);

const select = `SELECT c.id AS conversation_id, b.workspace_id, c.bot_id, 'bot' AS state, COALESCE(h.revision, 0) AS revision,
  h.handoff_id, h.team_id, ${nothing.join(', ')}, c.updated_at AS sort_at, c.updated_at AS changed_at, c.seq AS last_seq,
  COALESCE(h.last_preview, '') AS last_preview, COALESCE(h.last_author, 'visitor') AS last_author, c.owner_id AS visitor_id,
  u.foreign_id AS visitor_foreign_id, u.name AS visitor_name, o.requested_at, o.requested_by, o.reason, o.closed_at, o.outcome,
  CASE WHEN octet_length(l.payload) <= ${largeBytes} THEN l.payload END AS payload, l.is_bot, l.author`;

const from = `FROM conversations c JOIN bots b ON b.id = c.bot_id AND b.deleted_at IS NULL
  LEFT JOIN handlings h ON h.conversation_id = c.id LEFT JOIN handoffs o ON o.id = h.handoff_id
  LEFT JOIN users u ON u.id = c.owner_id
  LEFT JOIN messages l ON h.conversation_id IS NULL AND l.id = (SELECT m.id FROM messages m
    WHERE m.conversation_id = c.id AND m.superseded_by IS NULL ORDER BY m.seq DESC LIMIT 1)`;

/** Conversations of a deleted user are inaccessible before they are removed. */
const isShown = `b.workspace_id = ? AND NOT ${isBeingDeleted('c.owner_id')}`;

/** Nobody of the team handles it, and a visitor has written. */
const isListed = `(h.state IS NULL OR h.state = 'bot') AND c.message_count > 0
  AND EXISTS (SELECT 1 FROM messages v WHERE v.conversation_id = c.id AND v.is_bot = 0 AND v.author IS NULL)`;

const recordOf = ({ payload, isBot, author, ...record }: Columns): BotRecord => ({
  ...record,
  last: payload === null ? undefined : { payload, isBot: isBot ?? 0, author },
  isLarge: payload === null && isBot !== null,
});

/** Conversations that are read by the index at once, to find those of a page. */
export const stepSize = 200;
/** Conversations that a page is looked for in at most, so that one statement after the other does not take seconds. */
export const mostRead = 2_000;

/** The fields of a filter that select rows here; `q` is compared with the rows (`matchesFilter`). */
type Fields = Pick<InboxFilter, 'bot' | 'assignee' | 'tag' | 'team'>;

/**
 * A part of the list after a sort key: the rows among the next conversations, each with its key, and the key after which the next
 * part begins, undefined at the end.
 */
export interface BotListPart {
  records: BotRecord[];
  next: InboxKey | undefined;
}

/** Reads one part after the other. `isAscending`: the oldest first. */
export async function* readBotList(
  tx: Tx,
  viewer: Viewer,
  filter: Fields,
  isAscending: boolean,
  after: InboxKey | undefined,
): AsyncGenerator<BotListPart> {
  // A member who answers handles the conversation.
  if (filter.assignee !== undefined) return;
  const bots = await botsOfWorkspace(tx, viewer.workspaceId);
  const chosen = filter.bot === undefined ? bots : bots.filter((id) => id === filter.bot);
  let key = after;
  for (let read = 0; read < mostRead; read += stepSize) {
    const keys = await nextKeys(tx, chosen, isAscending, key);
    key = keys.length < stepSize ? undefined : keys.at(-1);
    const ids = keys.map(([, id]) => id);
    const found = new Map(
      (await listedAmong(tx, viewer, filter, ids)).map((record) => [record.conversationId, record]),
    );
    // In this order also if a conversation has changed meanwhile.
    yield { records: ids.flatMap((id) => found.get(id) ?? []), next: key };
    if (!key) return;
  }
}

/** The next conversations of these bots after a key, in any state. */
export async function nextKeys(
  tx: Tx,
  bots: readonly string[],
  isAscending: boolean,
  after: InboxKey | undefined,
): Promise<InboxKey[]> {
  const keys: InboxKey[] = [];
  for (const bot of bots) {
    const { start, order } = sortedByTime(tx, { sortField: 'updatedAt', isAscending, from: after });
    const [condition, ...values] = after ? start : ['1 = 1'];
    const rows = await tx.all<{ id: string; at: number }>(
      `SELECT c.id, c.updated_at AS at FROM conversations c WHERE c.bot_id = ? AND ${condition} ${order}`,
      bot,
      ...(values as Value[]),
      stepSize,
    );
    for (const { id, at } of rows) keys.push([at, id]);
  }
  const sign = isAscending ? 1 : -1;
  keys.sort(([a, x], [b, y]) => sign * (a - b || (x < y ? -1 : 1)));
  return keys.slice(0, stepSize);
}

/** Of these conversations, those of the list. */
async function listedAmong(
  tx: Tx,
  viewer: Viewer,
  { tag, team }: Fields,
  ids: readonly string[],
): Promise<BotRecord[]> {
  const conditions: Condition[] = [visibleTo(viewer)];
  if (tag !== undefined) {
    const sql = 'EXISTS (SELECT 1 FROM inbox_tags t WHERE t.conversation_id = c.id AND t.tag = ?)';
    conditions.push({ sql, values: [tag] });
  }
  if (team !== undefined) conditions.push({ sql: 'h.team_id = ?', values: [team] });
  return readListed(tx, viewer.workspaceId, [inList(tx, 'c.id', ids), ...conditions]);
}

async function readListed(
  tx: Tx,
  workspaceId: string,
  conditions: readonly Condition[],
): Promise<BotRecord[]> {
  const where = [isShown, isListed, ...conditions.map(({ sql }) => sql)].join(' AND ');
  const values = conditions.flatMap((condition) => condition.values);
  const rows = await tx.all<Columns>(`${select} ${from} WHERE ${where}`, workspaceId, ...values);
  return rows.map(recordOf);
}

/** The conversations of the list that were changed last, after a time, newest first, also those that a member may not see. */
export async function changedOfBots(
  tx: Tx,
  workspaceId: string,
  after: number,
  limit: number,
): Promise<BotRecord[]> {
  const { period, periods } = forDialect<{ period: string; periods: number[] }>(tx, {
    sqlite: { period: '', periods: [] },
    postgres: { period: 'AND c.updated_period >= ?', periods: [Math.floor(after / periodMs)] },
  });
  const changed = await tx.all<{ id: string }>(
    `SELECT c.id FROM bots b JOIN conversations c ON c.bot_id = b.id ${period} AND c.updated_at > ?
     WHERE b.workspace_id = ? ORDER BY c.updated_at DESC LIMIT ?`,
    ...periods,
    after,
    workspaceId,
    limit,
  );
  if (changed.length === 0) return [];
  const ids = changed.map(({ id }) => id);
  const records = await readListed(tx, workspaceId, [inList(tx, 'c.id', ids)]);
  return records.sort((a, b) => b.sortAt - a.sortAt);
}

/** Of these conversations, those of the list, also those that a member may not see. */
export const listedRows = async (
  tx: Tx,
  workspaceId: string,
  conversationIds: readonly string[],
): Promise<BotRecord[]> =>
  conversationIds.length === 0 ? [] : readListed(tx, workspaceId, [inList(tx, 'c.id', conversationIds)]);

/** The conversations of a visitor that can be in the list and have no row in `handlings`, those that changed last. */
export async function botConversationsOf(
  tx: Tx,
  userId: string,
  limit: number,
): Promise<{ conversationId: string; workspaceId: string }[]> {
  return tx.all(
    `SELECT c.id AS conversation_id, b.workspace_id FROM conversations c JOIN bots b ON b.id = c.bot_id
     WHERE c.owner_id = ? AND c.has_handling = 0 AND c.message_count > 0 ORDER BY c.updated_at DESC LIMIT ?`,
    userId,
    limit,
  );
}

/** Of these conversations, those that can be in the list and have no row in `handlings`. */
export async function listedOfBots(
  tx: Tx,
  conversationIds: readonly string[],
): Promise<{ conversationId: string; workspaceId: string }[]> {
  const condition = inList(tx, 'c.id', conversationIds);
  return tx.all(
    `SELECT c.id AS conversation_id, b.workspace_id FROM conversations c JOIN bots b ON b.id = c.bot_id
     WHERE ${condition.sql} AND c.has_handling = 0 AND c.message_count > 0`,
    ...condition.values,
  );
}

/** Of these conversations of the workspace, those for which nobody ever asked for a person. */
export async function unhandledAmong(
  tx: Tx,
  workspaceId: string,
  conversationIds: readonly string[],
): Promise<BotRecord[]> {
  const condition = inList(tx, 'c.id', conversationIds);
  const rows = await tx.all<Columns>(
    `${select} ${from} WHERE ${isShown} AND ${condition.sql} AND h.conversation_id IS NULL`,
    workspaceId,
    ...condition.values,
  );
  return rows.map(recordOf);
}

/** A conversation of the workspace for which nobody ever asked for a person. */
export async function findUnhandled(
  tx: Tx,
  workspaceId: string,
  conversationId: string,
): Promise<BotRecord | undefined> {
  const row = await tx.get<Columns>(
    `${select} ${from} WHERE ${isShown} AND c.id = ? AND h.conversation_id IS NULL`,
    workspaceId,
    conversationId,
  );
  return row && recordOf(row);
}
