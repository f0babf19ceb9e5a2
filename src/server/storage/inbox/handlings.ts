// SQL of handlings: who answers each conversation that a person was asked for.
import type { AuthorKind, HandlingState } from '../../../protocol/handling/handling.ts';
import { limits } from '../../../protocol/limits.ts';
import type { Tx, WriteTx } from '../database.ts';
import { inList } from '../dialect.ts';

export interface HandlingRow {
  conversationId: string;
  workspaceId: string;
  botId: string;
  state: HandlingState;
  revision: number;
  /** The handoff that is open, or the last one. */
  handoffId: string;
  teamId: string | null;
  /** The member who answers. */
  assigneeId: string | null;
  /** The user as whom visitors see the person who answers. */
  personId: string | null;
  /** Name and picture of the person who answers (JSON). */
  person: string | null;
  waitingSince: number | null;
  queuedAt: number | null;
  snoozedUntil: number | null;
  sortAt: number;
  changedAt: number;
  lastSeq: number;
  lastPreview: string;
  lastAuthor: AuthorKind;
}

export const handlingColumns = (table = ''): string =>
  `${table}conversation_id, ${table}workspace_id, ${table}bot_id,
  ${table}state, ${table}revision, ${table}handoff_id, ${table}team_id,
  ${table}assignee_id, ${table}person_id, ${table}person,
  ${table}waiting_since, ${table}queued_at, ${table}snoozed_until,
  ${table}sort_at, ${table}changed_at, ${table}last_seq,
  ${table}last_preview, ${table}last_author`;

export const openStates: readonly HandlingState[] = ['waiting', 'assigned', 'snoozed'];

export async function findHandling(tx: Tx, conversationId: string): Promise<HandlingRow | undefined> {
  return tx.get(`SELECT ${handlingColumns()} FROM handlings WHERE conversation_id = ?`, conversationId);
}

/** The columns that a transition changes, with their values. */
const transitionColumns = (row: HandlingRow) => ({
  state: row.state,
  is_open: openStates.includes(row.state) ? 1 : 0,
  revision: row.revision,
  handoff_id: row.handoffId,
  team_id: row.teamId,
  assignee_id: row.assigneeId,
  person_id: row.personId,
  person: row.person,
  waiting_since: row.waitingSince,
  queued_at: row.queuedAt,
  snoozed_until: row.snoozedUntil,
  sort_at: row.sortAt,
  changed_at: row.changedAt,
  last_seq: row.lastSeq,
});

/** Inserts the first handling of a conversation, whose lock is held. */
export async function insertHandling(tx: WriteTx, row: HandlingRow): Promise<void> {
  const columns = {
    conversation_id: row.conversationId,
    workspace_id: row.workspaceId,
    bot_id: row.botId,
    ...transitionColumns(row),
    last_preview: row.lastPreview,
    last_author: row.lastAuthor,
    words_version: 1,
  };
  const names = Object.keys(columns);
  await tx.run(
    `INSERT INTO handlings (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
    ...Object.values(columns),
  );
  await tx.run('UPDATE conversations SET has_handling = 1 WHERE id = ?', row.conversationId);
}

/** Stores a transition from the revision before. Returns false if the row has another one. */
export async function changeHandling(tx: WriteTx, row: HandlingRow): Promise<boolean> {
  const columns = transitionColumns(row);
  const assignments = Object.keys(columns).map((name) => `${name} = ?`);
  const changes = await tx.run(
    `UPDATE handlings SET ${assignments.join(', ')} WHERE conversation_id = ? AND revision = ?`,
    ...Object.values(columns),
    row.conversationId,
    row.revision - 1,
  );
  return changes > 0;
}

/** Stores the last message. The state and the revision do not change. */
export async function setLastMessage(
  tx: WriteTx,
  row: Pick<
    HandlingRow,
    'conversationId' | 'waitingSince' | 'lastSeq' | 'lastPreview' | 'lastAuthor' | 'sortAt' | 'changedAt'
  >,
): Promise<void> {
  await tx.run(
    `UPDATE handlings SET waiting_since = ?, last_seq = ?, last_preview = ?, last_author = ?, sort_at = ?, changed_at = ?
     WHERE conversation_id = ?`,
    row.waitingSince,
    row.lastSeq,
    row.lastPreview,
    row.lastAuthor,
    row.sortAt,
    row.changedAt,
    row.conversationId,
  );
}

/** Increments the revision, because something else of the conversation has changed, such as its tags. */
export async function touchHandling(tx: WriteTx, conversationId: string, at: number): Promise<void> {
  await tx.run(
    'UPDATE handlings SET revision = revision + 1, changed_at = ? WHERE conversation_id = ?',
    at,
    conversationId,
  );
}

/** Stores that something happened that is in no list, such as a rating: clients that show the conversation read it again. */
export async function setLastChange(
  tx: WriteTx,
  conversationId: string,
  seq: number,
  at: number,
): Promise<void> {
  await tx.run(
    'UPDATE handlings SET last_seq = ?, changed_at = ? WHERE conversation_id = ?',
    seq,
    at,
    conversationId,
  );
}

/** The conversations of a team, or of those without a team in the workspace, that wait longer for a person. */
export async function queuePosition(
  tx: Tx,
  { workspaceId, teamId, queuedAt }: Pick<HandlingRow, 'workspaceId' | 'teamId' | 'queuedAt'>,
): Promise<number> {
  const found = await tx.get<{ n: number }>(
    `SELECT COUNT(*) AS n FROM (SELECT 1 FROM handlings WHERE workspace_id = ? AND queued_at < ?
       AND team_id IS NOT DISTINCT FROM ? LIMIT ?) AS q`,
    workspaceId,
    queuedAt,
    teamId,
    limits.inbox.count,
  );
  return Number(found?.n ?? 0);
}

/** Snoozed conversations whose time is over. */
export async function endedSnoozes(tx: Tx, now: number, limit: number): Promise<string[]> {
  const rows = await tx.all<{ id: string }>(
    `SELECT conversation_id AS id FROM handlings WHERE snoozed_until <= ? ORDER BY snoozed_until LIMIT ?`,
    now,
    limit,
  );
  return rows.map(({ id }) => id);
}

/** When the next snoozing ends, in milliseconds since 1970. */
export async function nextSnoozeEnd(tx: Tx): Promise<number | undefined> {
  const row = await tx.get<{ at: number }>(
    `SELECT snoozed_until AS at FROM handlings WHERE snoozed_until IS NOT NULL ORDER BY snoozed_until LIMIT 1`,
  );
  return row?.at;
}

/** The open conversations that a member has. */
export async function conversationsOfMember(
  tx: Tx,
  workspaceId: string,
  memberId: string,
): Promise<string[]> {
  const rows = await tx.all<{ id: string }>(
    `SELECT conversation_id AS id FROM handlings WHERE workspace_id = ? AND assignee_id = ?`,
    workspaceId,
    memberId,
  );
  return rows.map(({ id }) => id);
}

/** Removes deleted conversations from the inbox at once, and keeps their ids for clients that were away. */
export async function removeHandlings(
  tx: WriteTx,
  conversationIds: readonly string[],
  now: number,
): Promise<{ conversationId: string; workspaceId: string }[]> {
  const condition = inList(tx, 'conversation_id', conversationIds);
  const removed = await tx.all<{ conversationId: string; workspaceId: string; botId: string }>(
    `DELETE FROM handlings WHERE ${condition.sql}
     RETURNING conversation_id, workspace_id, bot_id`,
    ...condition.values,
  );
  for (const { conversationId, workspaceId, botId } of removed) {
    await tx.run(
      `INSERT INTO deleted_handlings (workspace_id, deleted_at, conversation_id, bot_id) VALUES (?, ?, ?, ?)
       ON CONFLICT DO NOTHING`,
      workspaceId,
      now,
      conversationId,
      botId,
    );
  }
  return removed;
}
