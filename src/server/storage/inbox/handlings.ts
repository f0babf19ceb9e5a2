// SQL of handlings: who answers each conversation that a person was asked for.
import type { AuthorKind, HandlingState } from '../../../protocol/handling.ts';
import { limits } from '../../../protocol/limits.ts';
import type { Tx, WriteTx } from '../database.ts';
import { inList } from '../dialect.ts';
import {
  defineTable,
  insert,
  integer,
  orNull,
  type RowOf,
  text,
  textOf,
  update,
  withDefault,
} from '../table.ts';

const handlings = defineTable(
  'handlings',
  {
    conversationId: text,
    workspaceId: text,
    botId: text,
    state: textOf<HandlingState>(),
    revision: integer,
    /** The handoff that is open, or the last one. */
    handoffId: text,
    teamId: orNull(text),
    /** The member who answers. */
    assigneeId: orNull(text),
    /** The user as whom visitors see the person who answers. */
    personId: orNull(text),
    /** Name and picture of the person who answers (JSON). */
    person: orNull(text),
    waitingSince: orNull(integer),
    queuedAt: orNull(integer),
    snoozedUntil: orNull(integer),
    sortAt: integer,
    changedAt: integer,
    lastSeq: integer,
    lastPreview: text,
    lastAuthor: textOf<AuthorKind>(),
  },
  {
    isOpen: integer,
    toldPosition: orNull(integer),
    toldAt: orNull(integer),
    wordsVersion: withDefault(integer),
    alertedSince: orNull(integer),
    alertedFor: orNull(text),
  },
);
export type HandlingRow = RowOf<typeof handlings>;

export const handlingColumns = handlings.columns;

export const openStates: readonly HandlingState[] = ['waiting', 'assigned', 'snoozed'];

export async function findHandling(tx: Tx, conversationId: string): Promise<HandlingRow | undefined> {
  return tx.get(`SELECT ${handlingColumns()} FROM handlings WHERE conversation_id = ?`, conversationId);
}

/** Inserts the first handling of a conversation, whose lock is held. */
export async function insertHandling(tx: WriteTx, row: HandlingRow): Promise<void> {
  await insert(tx, handlings, { ...row, isOpen: isOpen(row), wordsVersion: 1 });
  await tx.run('UPDATE conversations SET has_handling = 1 WHERE id = ?', row.conversationId);
}

const isOpen = ({ state }: HandlingRow): number => (openStates.includes(state) ? 1 : 0);

/** Stores a transition from the revision before. Returns false if the row has another one. */
export async function changeHandling(tx: WriteTx, row: HandlingRow): Promise<boolean> {
  const {
    conversationId,
    workspaceId: _workspace,
    botId: _bot,
    lastPreview: _text,
    lastAuthor: _by,
    ...changed
  } = row;
  const key = { conversationId, revision: row.revision - 1 };
  return (await update(tx, handlings, key, { ...changed, isOpen: isOpen(row) })) > 0;
}

/** Stores the last message. The state and the revision do not change. */
export async function setLastMessage(
  tx: WriteTx,
  row: Pick<
    HandlingRow,
    'conversationId' | 'waitingSince' | 'lastSeq' | 'lastPreview' | 'lastAuthor' | 'sortAt' | 'changedAt'
  >,
): Promise<void> {
  const { conversationId, waitingSince, lastSeq, lastPreview, lastAuthor, sortAt, changedAt } = row;
  await update(
    tx,
    handlings,
    { conversationId },
    { waitingSince, lastSeq, lastPreview, lastAuthor, sortAt, changedAt },
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
