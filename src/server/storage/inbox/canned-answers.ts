// SQL of canned answers: texts of a member or of a workspace.
import type { Tx, WriteTx } from '../database.ts';
import { createId } from '../ids.ts';
import { defineTable, integer, orNull, type RowOf, text, update } from '../table.ts';

const cannedAnswers = defineTable('canned_answers', {
  id: text,
  workspaceId: text,
  /** The member who wrote it for themselves; null for an answer of the workspace. */
  memberId: orNull(text),
  name: text,
  body: text,
  createdAt: integer,
  updatedAt: integer,
});
export type CannedAnswerRow = RowOf<typeof cannedAnswers>;

const columns = cannedAnswers.columns();
/** SQL condition: the answers that a member can use. Parameters: the workspace and the member. */
const usable = 'workspace_id = ? AND (member_id IS NULL OR member_id = ?)';

/** The answers that a member can use, after an id. */
export async function listCannedAnswers(
  tx: Tx,
  workspaceId: string,
  memberId: string,
  after: string | undefined,
  limit: number,
): Promise<CannedAnswerRow[]> {
  return tx.all(
    `SELECT ${columns} FROM canned_answers WHERE ${usable} AND id > ? ORDER BY id LIMIT ?`,
    workspaceId,
    memberId,
    after ?? '',
    limit,
  );
}

export async function findCannedAnswer(
  tx: Tx,
  workspaceId: string,
  memberId: string,
  id: string,
): Promise<CannedAnswerRow | undefined> {
  return tx.get(
    `SELECT ${columns} FROM canned_answers WHERE ${usable} AND id = ?`,
    workspaceId,
    memberId,
    id,
  );
}

/** Stores an answer; returns undefined if its owner, whose workspace is locked, has `most` already. */
export async function insertCannedAnswer(
  tx: WriteTx,
  { workspaceId, memberId, name, body }: Pick<CannedAnswerRow, 'workspaceId' | 'memberId' | 'name' | 'body'>,
  now: number,
  most: number,
): Promise<CannedAnswerRow | undefined> {
  const id = createId('answer', now);
  const changes = await tx.run(
    `INSERT INTO canned_answers (id, workspace_id, member_id, name, body, created_at, updated_at)
     SELECT ?, ?, ?, ?, ?, ?, ? WHERE (SELECT COUNT(*) FROM canned_answers
       WHERE workspace_id = ? AND member_id IS NOT DISTINCT FROM ?) < ?`,
    ...[id, workspaceId, memberId, name, body, now, now, workspaceId, memberId, most],
  );
  return changes > 0 ? { id, workspaceId, memberId, name, body, createdAt: now, updatedAt: now } : undefined;
}

export async function updateCannedAnswer(
  tx: WriteTx,
  { id, name, body, updatedAt }: Pick<CannedAnswerRow, 'id' | 'name' | 'body' | 'updatedAt'>,
): Promise<void> {
  await update(tx, cannedAnswers, { id }, { name, body, updatedAt });
}

export async function deleteCannedAnswer(tx: WriteTx, id: string): Promise<void> {
  await tx.run('DELETE FROM canned_answers WHERE id = ?', id);
}

/** Deletes the answers that a member wrote for themselves. Returns their ids. */
export async function deleteAnswersOfMember(
  tx: WriteTx,
  workspaceId: string,
  memberId: string,
): Promise<string[]> {
  const rows = await tx.all<{ id: string }>(
    'DELETE FROM canned_answers WHERE workspace_id = ? AND member_id = ? RETURNING id',
    workspaceId,
    memberId,
  );
  return rows.map(({ id }) => id);
}

/** Deletes all answers of a workspace. Returns their ids. */
export async function deleteAnswersOfWorkspace(tx: WriteTx, workspaceId: string): Promise<string[]> {
  const rows = await tx.all<{ id: string }>(
    'DELETE FROM canned_answers WHERE workspace_id = ? RETURNING id',
    workspaceId,
  );
  return rows.map(({ id }) => id);
}
