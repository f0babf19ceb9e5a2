// SQL of workspaces and of their members. It knows no rule: who may do what is decided above.
import type { Role } from '../../protocol/permissions.ts';
import type { Tx, WriteTx } from './database.ts';

export interface WorkspaceRow {
  id: string;
  name: string;
  createdAt: number;
  updatedAt: number;
}

export interface MemberRow {
  id: string;
  workspaceId: string;
  email: string;
  displayName: string | null;
  role: Role;
  createdAt: number;
}

const columns = 'id, name, created_at AS "createdAt", updated_at AS "updatedAt"';
const memberColumns = `id, workspace_id AS "workspaceId", email, display_name AS "displayName", role,
  created_at AS "createdAt"`;

/** The workspace that the first start made. */
export async function firstWorkspace(tx: Tx): Promise<WorkspaceRow | undefined> {
  return tx.get(`SELECT ${columns} FROM workspaces ORDER BY id LIMIT 1`);
}

export async function insertWorkspace(tx: WriteTx, row: WorkspaceRow): Promise<void> {
  await tx.run(
    'INSERT INTO workspaces (id, name, created_at, updated_at) VALUES (?, ?, ?, ?)',
    row.id,
    row.name,
    row.createdAt,
    row.updatedAt,
  );
}

/** A member of this workspace. */
export async function findMember(tx: Tx, workspaceId: string, id: string): Promise<MemberRow | undefined> {
  return tx.get(`SELECT ${memberColumns} FROM members WHERE workspace_id = ? AND id = ?`, workspaceId, id);
}

/** The member who was there first, while they are an owner. */
export async function firstOwner(tx: Tx, workspaceId: string): Promise<MemberRow | undefined> {
  return tx.get(
    `SELECT ${memberColumns} FROM members WHERE workspace_id = ? AND role = 'owner' ORDER BY workspace_id, id LIMIT 1`,
    workspaceId,
  );
}

export async function insertMember(tx: WriteTx, row: MemberRow): Promise<void> {
  await tx.run(
    'INSERT INTO members (id, workspace_id, email, display_name, role, created_at) VALUES (?, ?, ?, ?, ?, ?)',
    row.id,
    row.workspaceId,
    row.email,
    row.displayName,
    row.role,
    row.createdAt,
  );
}

export async function findWorkspace(tx: Tx, id: string): Promise<WorkspaceRow | undefined> {
  return tx.get(`SELECT ${columns} FROM workspaces WHERE id = ?`, id);
}

export async function renameWorkspace(tx: WriteTx, id: string, name: string, now: number): Promise<void> {
  await tx.run('UPDATE workspaces SET name = ?, updated_at = ? WHERE id = ?', name, now, id);
}

/** Members of a workspace, those who were there first before the others, after `after`. */
export async function listMembers(
  tx: Tx,
  workspaceId: string,
  after: string | undefined,
  limit: number,
): Promise<MemberRow[]> {
  return tx.all(
    `SELECT ${memberColumns} FROM members WHERE workspace_id = ? AND id > ? ORDER BY id LIMIT ?`,
    workspaceId,
    after ?? '',
    limit,
  );
}

export async function memberOfEmail(
  tx: Tx,
  workspaceId: string,
  email: string,
): Promise<MemberRow | undefined> {
  return tx.get(
    `SELECT ${memberColumns} FROM members WHERE workspace_id = ? AND email = ?`,
    workspaceId,
    email,
  );
}

export async function countOwners(tx: Tx, workspaceId: string): Promise<number> {
  const found = await tx.get<{ n: number }>(
    'SELECT COUNT(*) AS "n" FROM members WHERE workspace_id = ? AND role = \'owner\'',
    workspaceId,
  );
  return Number(found?.n ?? 0);
}

export async function updateMember(
  tx: WriteTx,
  { id, email, role, displayName }: Pick<MemberRow, 'id' | 'email' | 'role' | 'displayName'>,
): Promise<void> {
  await tx.run(
    'UPDATE members SET email = ?, role = ?, display_name = ? WHERE id = ?',
    email,
    role,
    displayName,
    id,
  );
}

export async function deleteMember(tx: WriteTx, id: string): Promise<void> {
  await tx.run('DELETE FROM members WHERE id = ?', id);
}
