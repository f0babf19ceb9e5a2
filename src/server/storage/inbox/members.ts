// SQL of members as the inbox assigns conversations to them, and of the users as whom visitors see them.
import { createHash } from 'node:crypto';
import type { Availability } from '../../../protocol/inbox.ts';
import type { Role } from '../../../protocol/permissions.ts';
import type { Person } from '../../../protocol/types/handling.ts';
import { type UserRow, userColumns } from '../chat/users.ts';
import type { Tx, WriteTx } from '../database.ts';
import { inList } from '../dialect.ts';
import { createId } from '../ids.ts';
import { deleteAlertsOfMembers } from './alert-subscriptions.ts';

/** A member with what counts for assigning. */
export interface InboxMemberRow {
  memberId: string;
  displayName: string | null;
  email: string;
  availability: Availability;
  awayCause: 'no_answer' | null;
  capacity: number | null;
  seenAt: number;
  load: number;
}

const columns = `m.id AS member_id, m.display_name, m.email, COALESCE(i.availability, 'available') AS availability,
  i.away_cause, i.capacity, COALESCE(i.seen_at, 0) AS seen_at, (SELECT COUNT(*) FROM handlings h
    WHERE h.workspace_id = m.workspace_id AND h.assignee_id = m.id AND h.state = 'assigned') AS load`;
const source = 'members m LEFT JOIN inbox_members i ON i.member_id = m.id';

/** SQL of the name of a member `m` for colleagues: the e-mail address of who has none. Visitors never see it. */
export const colleagueName = `COALESCE(NULLIF(m.display_name, ''), m.email)`;

const asMap = (rows: readonly { id: string; name: string }[]): Map<string, string> =>
  new Map(rows.map(({ id, name }) => [id, name]));

/** The names of members for their colleagues, by their ids. */
export async function colleagueNamesOf(tx: Tx, memberIds: readonly string[]): Promise<Map<string, string>> {
  if (memberIds.length === 0) return new Map();
  const condition = inList(tx, 'm.id', memberIds);
  return asMap(
    await tx.all(
      `SELECT m.id, ${colleagueName} AS name FROM members m WHERE ${condition.sql}`,
      ...condition.values,
    ),
  );
}

/** The same by the ids of the users as whom visitors see the members. */
export async function colleagueNamesOfPersons(
  tx: Tx,
  personIds: readonly string[],
): Promise<Map<string, string>> {
  if (personIds.length === 0) return new Map();
  const condition = inList(tx, 'u.id', personIds);
  return asMap(
    await tx.all(
      `SELECT u.id, ${colleagueName} AS name FROM users u JOIN members m ON m.id = u.member_id WHERE ${condition.sql}`,
      ...condition.values,
    ),
  );
}

/** The members with one of these roles after an id. */
export async function listInboxMembers(
  tx: Tx,
  workspaceId: string,
  roles: readonly Role[],
  after: string | undefined,
  limit: number,
): Promise<InboxMemberRow[]> {
  const condition = inList(tx, 'm.role', roles);
  const rows = await tx.all<InboxMemberRow>(
    `SELECT ${columns} FROM ${source} WHERE m.workspace_id = ? AND m.id > ? AND ${condition.sql} ORDER BY m.id LIMIT ?`,
    workspaceId,
    after ?? '',
    ...condition.values,
    limit,
  );
  return rows.map((row) => ({ ...row, load: Number(row.load) }));
}

export async function findInboxMember(
  tx: Tx,
  workspaceId: string,
  memberId: string,
): Promise<InboxMemberRow | undefined> {
  const row = await tx.get<InboxMemberRow>(
    `SELECT ${columns} FROM ${source} WHERE m.workspace_id = ? AND m.id = ?`,
    workspaceId,
    memberId,
  );
  return row && { ...row, load: Number(row.load) };
}

/** A member who can be assigned a conversation of a team now, or undefined: the next one in the order of its mode. */
export async function nextAssignee(
  tx: Tx,
  team: { id: string; workspaceId: string; mode: string; capacity: number },
  roles: readonly Role[],
  seenAfter: number,
): Promise<string | undefined> {
  const condition = inList(tx, 'm.role', roles);
  const order = team.mode === 'least_busy' ? 'c.load, ' : '';
  const row = await tx.get<{ memberId: string }>(
    `SELECT c.member_id FROM (
       SELECT m.id AS member_id, t.last_assigned_at AS turn, COALESCE(i.capacity, ?) AS most,
         (SELECT COUNT(*) FROM handlings h
            WHERE h.workspace_id = m.workspace_id AND h.assignee_id = m.id AND h.state = 'assigned') AS load
       FROM team_members t JOIN members m ON m.id = t.member_id JOIN inbox_members i ON i.member_id = m.id
       WHERE t.team_id = ? AND m.workspace_id = ? AND i.availability = 'available' AND i.seen_at > ? AND ${condition.sql}
     ) AS c WHERE c.load < c.most ORDER BY ${order}c.turn, c.member_id LIMIT 1`,
    team.capacity,
    team.id,
    team.workspaceId,
    seenAfter,
    ...condition.values,
  );
  return row?.memberId;
}

/** Stores whose turn it was. Two assignments of a millisecond have an order, too. */
export async function recordTurn(tx: WriteTx, teamId: string, memberId: string, at: number): Promise<void> {
  await tx.run(
    `UPDATE team_members SET last_assigned_at =
       (SELECT CASE WHEN MAX(last_assigned_at) >= ? THEN MAX(last_assigned_at) + 1 ELSE ? END FROM team_members WHERE team_id = ?)
     WHERE team_id = ? AND member_id = ?`,
    ...[at, at, teamId, teamId, memberId],
  );
}

/** `cause`: why the server has made them away. */
export async function setAvailability(
  tx: WriteTx,
  memberId: string,
  availability: Availability,
  cause: 'no_answer' | null = null,
): Promise<void> {
  await tx.run(
    `INSERT INTO inbox_members (member_id, availability, away_cause) VALUES (?, ?, ?)
     ON CONFLICT (member_id) DO UPDATE SET availability = excluded.availability, away_cause = excluded.away_cause`,
    memberId,
    availability,
    cause,
  );
}

/** Whether a member has gone away. */
export async function isAway(tx: Tx, memberId: string): Promise<boolean> {
  const row = await tx.get(
    "SELECT 1 FROM inbox_members WHERE member_id = ? AND availability = 'away'",
    memberId,
  );
  return row !== undefined;
}

export async function setCapacity(tx: WriteTx, memberId: string, capacity: number | null): Promise<void> {
  await tx.run(
    `INSERT INTO inbox_members (member_id, availability, capacity) VALUES (?, 'available', ?)
     ON CONFLICT (member_id) DO UPDATE SET capacity = excluded.capacity`,
    memberId,
    capacity,
  );
}

/** Stores that the inbox of a member is open, unless the member was seen after `seenAfter`. Returns whether it was stored. */
export async function setSeen(
  tx: WriteTx,
  memberId: string,
  at: number,
  seenAfter: number,
): Promise<boolean> {
  const changes = await tx.run(
    `INSERT INTO inbox_members (member_id, availability, seen_at) VALUES (?, 'available', ?)
     ON CONFLICT (member_id) DO UPDATE SET seen_at = excluded.seen_at WHERE inbox_members.seen_at < ?`,
    memberId,
    at,
    seenAfter,
  );
  return changes > 0;
}

/** Deletes what the inbox knows of members, also their places in teams, and their alerts. */
export async function deleteInboxMembers(tx: WriteTx, memberIds: readonly string[]): Promise<void> {
  const condition = inList(tx, 'member_id', memberIds);
  await deleteAlertsOfMembers(tx, memberIds);
  await tx.run(`DELETE FROM inbox_members WHERE ${condition.sql}`, ...condition.values);
  await tx.run(`DELETE FROM team_members WHERE ${condition.sql}`, ...condition.values);
}

/** The identity of a person at another desk, who is not a member: by name and picture. */
export const externalIdOf = ({ name, pictureUrl = '' }: Person): string =>
  `external ${createHash('sha256').update(`${name}\n${pictureUrl}`).digest('base64url')}`;

/** The user as whom the visitors of a bot see a member. It is created, or gets the present name and picture. */
export async function personOf(
  tx: WriteTx,
  botId: string,
  memberId: string,
  { name, pictureUrl }: Person,
  now: number,
): Promise<UserRow> {
  await tx.run(
    `INSERT INTO users (id, bot_id, is_bot, name, picture_url, created_at, updated_at, member_id)
     VALUES (?, ?, 1, ?, ?, ?, ?, ?)
     ON CONFLICT (bot_id, member_id) WHERE member_id IS NOT NULL
     DO UPDATE SET name = excluded.name, picture_url = excluded.picture_url`,
    createId('user'),
    botId,
    name,
    pictureUrl ?? null,
    now,
    now,
    memberId,
  );
  const user = await tx.get<UserRow>(
    `SELECT ${userColumns} FROM users WHERE bot_id = ? AND member_id = ?`,
    botId,
    memberId,
  );
  if (!user) throw new Error('The person was not stored.');
  return user;
}
