// SQL of workspaces and their members.
import type { Role } from '../../../protocol/permissions.ts';
import type { Tx, WriteTx } from '../database.ts';
import { rowLock } from '../dialect.ts';
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

const workspaces = defineTable(
  'workspaces',
  {
    id: text,
    name: withDefault(text),
    /** JSON. */
    profile: withDefault(text),
    createdAt: integer,
    updatedAt: withDefault(integer),
  },
  { isFirst: withDefault(integer) },
);

export type WorkspaceRow = RowOf<typeof workspaces> & {
  /** The first owner; null if there is none. */
  ownerId: string | null;
  botCount: number;
};

/** The columns that a new workspace has. */
export type NewWorkspace = Pick<WorkspaceRow, 'id' | 'name' | 'createdAt' | 'updatedAt'>;

const members = defineTable('members', {
  id: text,
  workspaceId: text,
  email: text,
  displayName: orNull(text),
  profilePicture: orNull(text),
  role: textOf<Role>(),
  createdAt: integer,
});
export type MemberRow = RowOf<typeof members>;

/** The columns that a new member has. */
export type NewMember = Omit<MemberRow, 'profilePicture'>;

const columns = `${workspaces.columns()},
  (SELECT id FROM members WHERE workspace_id = workspaces.id AND role = 'owner' ORDER BY workspace_id, id LIMIT 1)
    AS owner_id,
  (SELECT COUNT(*) FROM bots WHERE workspace_id = workspaces.id AND deleted_at IS NULL LIMIT 1) AS bot_count`;
const memberColumns = members.columns();

/** The workspace that the first start created. Its owners are the operators. */
export async function firstWorkspace(tx: Tx): Promise<WorkspaceRow | undefined> {
  return tx.get(`SELECT ${columns} FROM workspaces WHERE is_first = 1`);
}

export async function isFirstWorkspace(tx: Tx, id: string): Promise<boolean> {
  return (await tx.get('SELECT 1 FROM workspaces WHERE id = ? AND is_first = 1', id)) !== undefined;
}

/** `isFirst`: 1 for the workspace that the first start creates; a constraint of the database prevents a second one. */
export async function insertWorkspace(tx: WriteTx, row: NewWorkspace, isFirst: 0 | 1 = 0): Promise<void> {
  await insert(tx, workspaces, { ...row, isFirst });
}

/** All workspaces of the server after `after`, in the order of their ids. */
export async function listWorkspaces(
  tx: Tx,
  after: string | undefined,
  limit: number,
): Promise<WorkspaceRow[]> {
  return tx.all(`SELECT ${columns} FROM workspaces WHERE id > ? ORDER BY id LIMIT ?`, after ?? '', limit);
}

/** Deletes a workspace with its members and all tokens in it. Its bots are deleted separately. */
export async function deleteWorkspace(tx: WriteTx, id: string): Promise<void> {
  await tx.run('DELETE FROM tokens WHERE workspace_id = ?', id);
  await tx.run('DELETE FROM members WHERE workspace_id = ?', id);
  await tx.run('DELETE FROM workspaces WHERE id = ?', id);
}

/** A member of this workspace. */
export async function findMember(tx: Tx, workspaceId: string, id: string): Promise<MemberRow | undefined> {
  return tx.get(`SELECT ${memberColumns} FROM members WHERE workspace_id = ? AND id = ?`, workspaceId, id);
}

/**
 * As `findMember`, for a transaction that assigns a conversation without the lock of the workspace: until its end, the member is
 * not removed and keeps the role.
 */
export async function holdMember(
  tx: WriteTx,
  workspaceId: string,
  id: string,
): Promise<MemberRow | undefined> {
  return tx.get(
    `SELECT ${memberColumns} FROM members WHERE workspace_id = ? AND id = ? ${rowLock(tx, 'FOR SHARE')}`,
    workspaceId,
    id,
  );
}

/** Waits for transactions that assign a conversation to the member, and prevents others until the end of this one. */
export async function lockMember(tx: WriteTx, id: string): Promise<void> {
  await tx.get(`SELECT 1 FROM members WHERE id = ? ${rowLock(tx, 'FOR UPDATE')}`, id);
}

/** The first member of a workspace; undefined if that member is not an owner any more. */
export async function firstOwner(tx: Tx, workspaceId: string): Promise<MemberRow | undefined> {
  return tx.get(
    `SELECT ${memberColumns} FROM members WHERE workspace_id = ? AND role = 'owner' ORDER BY workspace_id, id LIMIT 1`,
    workspaceId,
  );
}

export async function insertMember(tx: WriteTx, row: NewMember): Promise<void> {
  await insert(tx, members, row);
}

export async function workspaceExists(tx: Tx, id: string): Promise<boolean> {
  return (await tx.get('SELECT 1 FROM workspaces WHERE id = ?', id)) !== undefined;
}

export async function findWorkspace(tx: Tx, id: string): Promise<WorkspaceRow | undefined> {
  return tx.get(`SELECT ${columns} FROM workspaces WHERE id = ?`, id);
}

/** Stores the name and the profile of a workspace. */
export async function updateWorkspace(
  tx: WriteTx,
  { id, name, profile, updatedAt }: Pick<WorkspaceRow, 'id' | 'name' | 'profile' | 'updatedAt'>,
): Promise<void> {
  await update(tx, workspaces, { id }, { name, profile, updatedAt });
}

/** Members of a workspace after `after`, oldest first; with `search` those whose name or address contains it, in any case. */
export async function listMembers(
  tx: Tx,
  workspaceId: string,
  after: string | undefined,
  limit: number,
  { search }: { search?: string | undefined } = {},
): Promise<MemberRow[]> {
  // LOWER of SQLite knows only ASCII: the text as it is typed finds other letters.
  const found =
    search === undefined
      ? { sql: '', values: [] }
      : {
          sql: `AND (email LIKE ? ESCAPE '!' OR LOWER(display_name) LIKE ? ESCAPE '!' OR display_name LIKE ? ESCAPE '!')`,
          values: [search.toLowerCase(), search.toLowerCase(), search].map(
            (text) => `%${text.replace(/[!%_]/g, '!$&')}%`,
          ),
        };
  return tx.all(
    `SELECT ${memberColumns} FROM members WHERE workspace_id = ? AND id > ? ${found.sql} ORDER BY id LIMIT ?`,
    workspaceId,
    after ?? '',
    ...found.values,
    limit,
  );
}

/** The ids of all members of a workspace. */
export async function membersOfWorkspace(tx: Tx, workspaceId: string): Promise<string[]> {
  const rows = await tx.all<{ id: string }>('SELECT id FROM members WHERE workspace_id = ?', workspaceId);
  return rows.map(({ id }) => id);
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
    "SELECT COUNT(*) AS n FROM members WHERE workspace_id = ? AND role = 'owner'",
    workspaceId,
  );
  return Number(found?.n ?? 0);
}

export async function updateMember(
  tx: WriteTx,
  row: Pick<MemberRow, 'id' | 'email' | 'role' | 'displayName' | 'profilePicture'>,
): Promise<void> {
  await tx.run(
    'UPDATE members SET email = ?, role = ?, display_name = ?, profile_picture = ? WHERE id = ?',
    row.email,
    row.role,
    row.displayName,
    row.profilePicture,
    row.id,
  );
}

export async function deleteMember(tx: WriteTx, id: string): Promise<void> {
  await tx.run('DELETE FROM members WHERE id = ?', id);
}
