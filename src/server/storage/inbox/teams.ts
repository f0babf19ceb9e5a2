// SQL of teams and their members, and of the inbox settings of a workspace.
import type { TeamMode } from '../../../protocol/inbox.ts';
import type { OpeningHours } from '../../../protocol/types/inbox.ts';
import type { Tx, WriteTx } from '../database.ts';
import { inList } from '../dialect.ts';
import { defineTable, insert, integer, type RowOf, text, textOf, update } from '../table.ts';

const teams = defineTable('teams', {
  id: text,
  workspaceId: text,
  name: text,
  mode: textOf<TeamMode>(),
  capacity: integer,
  isRestricted: integer,
  isDefault: integer,
  createdAt: integer,
});
export type TeamRow = RowOf<typeof teams>;

const columns = teams.columns();

/** All teams of a workspace, oldest first. */
export const listTeams = (tx: Tx, workspaceId: string): Promise<TeamRow[]> =>
  tx.all(`SELECT ${columns} FROM teams WHERE workspace_id = ? ORDER BY id`, workspaceId);

export const findTeam = (tx: Tx, workspaceId: string, id: string): Promise<TeamRow | undefined> =>
  tx.get(`SELECT ${columns} FROM teams WHERE workspace_id = ? AND id = ?`, workspaceId, id);

/** The team with this id or name. */
export const findTeamByName = (tx: Tx, workspaceId: string, name: string): Promise<TeamRow | undefined> =>
  tx.get(
    `SELECT ${columns} FROM teams WHERE workspace_id = ? AND (id = ? OR name = ?)`,
    workspaceId,
    name,
    name,
  );

/** The team of requests that name none. */
export const defaultTeam = (tx: Tx, workspaceId: string): Promise<TeamRow | undefined> =>
  tx.get(
    `SELECT ${columns} FROM teams WHERE workspace_id = ? AND is_default = 1 ORDER BY id LIMIT 1`,
    workspaceId,
  );

export async function insertTeam(tx: WriteTx, row: TeamRow): Promise<void> {
  await insert(tx, teams, row);
}

export async function updateTeam(tx: WriteTx, row: TeamRow): Promise<void> {
  const { id, name, mode, capacity, isRestricted, isDefault } = row;
  await update(tx, teams, { id }, { name, mode, capacity, isRestricted, isDefault });
}

/** Only one team of a workspace is the default. */
export async function clearDefaultTeam(tx: WriteTx, workspaceId: string): Promise<void> {
  await tx.run('UPDATE teams SET is_default = 0 WHERE workspace_id = ? AND is_default = 1', workspaceId);
}

/** The open conversations of a team. */
export async function openOfTeam(tx: Tx, id: string): Promise<string[]> {
  const rows = await tx.all<{ id: string }>(
    'SELECT conversation_id AS id FROM handlings WHERE team_id = ? AND is_open = 1',
    id,
  );
  return rows.map((row) => row.id);
}

/**
 * Deletes a team, and removes it from those of these conversations that belong to it; their locks must be held. Returns their ids.
 * All other conversations keep the id, which names no team any more.
 */
export async function deleteTeam(
  tx: WriteTx,
  id: string,
  conversationIds: readonly string[],
  at: number,
): Promise<string[]> {
  await tx.run('DELETE FROM teams WHERE id = ?', id);
  await tx.run('DELETE FROM team_members WHERE team_id = ?', id);
  const condition = inList(tx, 'conversation_id', conversationIds);
  const rows = await tx.all<{ id: string }>(
    `UPDATE handlings SET team_id = NULL, revision = revision + 1, changed_at = ? WHERE team_id = ? AND ${condition.sql}
     RETURNING conversation_id AS id`,
    at,
    id,
    ...condition.values,
  );
  return rows.map((row) => row.id);
}

/** The members of teams, by the ids of the teams. */
export async function membersOfTeams(tx: Tx, ids: readonly string[]): Promise<Map<string, string[]>> {
  const condition = inList(tx, 'team_id', ids);
  const rows = await tx.all<{ teamId: string; memberId: string }>(
    `SELECT team_id, member_id FROM team_members WHERE ${condition.sql} ORDER BY member_id`,
    ...condition.values,
  );
  const members = new Map<string, string[]>();
  for (const { teamId, memberId } of rows) members.set(teamId, [...(members.get(teamId) ?? []), memberId]);
  return members;
}

/** Replaces the members of a team. Members who stay keep their turn. */
export async function setTeamMembers(
  tx: WriteTx,
  teamId: string,
  memberIds: readonly string[],
): Promise<void> {
  const isMember = inList(tx, 'member_id', memberIds);
  await tx.run(
    `DELETE FROM team_members WHERE team_id = ? AND NOT (${isMember.sql})`,
    teamId,
    ...isMember.values,
  );
  for (const memberId of new Set(memberIds))
    await tx.run(
      'INSERT INTO team_members (team_id, member_id) VALUES (?, ?) ON CONFLICT DO NOTHING',
      teamId,
      memberId,
    );
}

/** Deletes all teams of a workspace. Returns their ids. */
export async function deleteTeamsOfWorkspace(tx: WriteTx, workspaceId: string): Promise<string[]> {
  const rows = await tx.all<{ id: string }>(
    'DELETE FROM teams WHERE workspace_id = ? RETURNING id',
    workspaceId,
  );
  const ids = rows.map(({ id }) => id);
  const condition = inList(tx, 'team_id', ids);
  await tx.run(`DELETE FROM team_members WHERE ${condition.sql}`, ...condition.values);
  return ids;
}

/** When the members of a workspace answer; undefined: always. */
export async function openingHoursOf(tx: Tx, workspaceId: string): Promise<OpeningHours | undefined> {
  const row = await tx.get<{ hours: string | null }>(
    'SELECT opening_hours AS hours FROM inbox_settings WHERE workspace_id = ?',
    workspaceId,
  );
  return row?.hours == null ? undefined : (JSON.parse(row.hours) as OpeningHours);
}

export async function setOpeningHours(tx: WriteTx, workspaceId: string, hours: OpeningHours): Promise<void> {
  await tx.run(
    `INSERT INTO inbox_settings (workspace_id, opening_hours) VALUES (?, ?)
     ON CONFLICT (workspace_id) DO UPDATE SET opening_hours = excluded.opening_hours`,
    workspaceId,
    JSON.stringify(hours),
  );
}

export async function deleteInboxSettings(tx: WriteTx, workspaceId: string): Promise<void> {
  await tx.run('DELETE FROM inbox_settings WHERE workspace_id = ?', workspaceId);
}
