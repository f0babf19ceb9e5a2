// SQL conditions for the conversations that a member sees: those of restricted teams only as a member of the team.
import type { Tx } from '../database.ts';
import type { Condition } from '../dialect.ts';
import type { HandlingRow } from './handlings.ts';

/** A reader of conversations, in the inbox or by another API (auth/principal.ts). */
export interface Viewer {
  workspaceId: string;
  /** Empty for an operator, who is not a member of the workspace. */
  memberId: string;
  /** With the permission to assign, conversations of all teams. */
  seesAllTeams: boolean;
}

/** Where a conversation is: which members see it depends on both. */
export type HandlingPlace = Pick<HandlingRow, 'teamId' | 'assigneeId'>;

/** The condition that a viewer sees a row `h`. The member who answers a conversation always sees it. */
export function visibleTo({ memberId, seesAllTeams }: Viewer): Condition {
  if (seesAllTeams) return { sql: '1 = 1', values: [] };
  return {
    sql: `(h.team_id IS NULL OR h.assignee_id IS NOT DISTINCT FROM ? OR NOT EXISTS (SELECT 1 FROM teams r WHERE r.id = h.team_id AND r.is_restricted = 1
        AND NOT EXISTS (SELECT 1 FROM team_members rm WHERE rm.team_id = r.id AND rm.member_id = ?)))`,
    values: [memberId, memberId],
  };
}

/** The condition that a viewer sees the conversation whose id is in a column, also one that only a bot handles. */
export function seesConversation(viewer: Viewer, column: string): Condition {
  if (viewer.seesAllTeams) return visibleTo(viewer);
  const { sql, values } = visibleTo(viewer);
  const hidden = `SELECT 1 FROM handlings h WHERE h.conversation_id = ${column} AND NOT ${sql}`;
  return { sql: `NOT EXISTS (${hidden})`, values };
}

/** The condition that a viewer sees the user whose id is in a column: not one all of whose conversations are hidden. */
export function seesUser(viewer: Viewer, column: string): Condition {
  if (viewer.seesAllTeams) return visibleTo(viewer);
  const { sql, values } = seesConversation(viewer, 'p.conversation_id');
  const conversations = `SELECT 1 FROM participants p WHERE p.user_id = ${column}`;
  return {
    sql: `(NOT EXISTS (${conversations}) OR EXISTS (${conversations} AND ${sql}))`,
    values,
  };
}

/** Whether a viewer may see a user. */
export async function isUserVisible(tx: Tx, viewer: Viewer, userId: string): Promise<boolean> {
  if (viewer.seesAllTeams) return true;
  const { sql, values } = seesUser(viewer, 'u.id');
  return (await tx.get(`SELECT 1 FROM users u WHERE u.id = ? AND ${sql}`, userId, ...values)) !== undefined;
}

/** Whether a viewer may see all conversations in which a user is. */
export async function areAllVisible(tx: Tx, viewer: Viewer, userId: string): Promise<boolean> {
  if (viewer.seesAllTeams) return true;
  const { sql, values } = seesConversation(viewer, 'p.conversation_id');
  const hidden = `SELECT 1 FROM participants p WHERE p.user_id = ? AND NOT (${sql}) LIMIT 1`;
  return (await tx.get(hidden, userId, ...values)) === undefined;
}

/** The ids of the restricted teams whose conversations a viewer does not see, except those that they answer. */
export async function hiddenTeams(
  tx: Tx,
  { workspaceId, memberId, seesAllTeams }: Viewer,
): Promise<string[]> {
  if (seesAllTeams) return [];
  const rows = await tx.all<{ id: string }>(
    `SELECT r.id FROM teams r WHERE r.workspace_id = ? AND r.is_restricted = 1
       AND NOT EXISTS (SELECT 1 FROM team_members m WHERE m.team_id = r.id AND m.member_id = ?) ORDER BY r.id`,
    workspaceId,
    memberId,
  );
  return rows.map(({ id }) => id);
}

/** Whether a viewer may see a conversation of the workspace, also one that only a bot handles. */
export async function isVisible(tx: Tx, viewer: Viewer, conversationId: string): Promise<boolean> {
  if (viewer.seesAllTeams) return true;
  const { sql, values } = visibleTo(viewer);
  const hidden = await tx.get(
    `SELECT 1 FROM handlings h WHERE h.conversation_id = ? AND NOT ${sql}`,
    conversationId,
    ...values,
  );
  return hidden === undefined;
}

/** The members who may see a conversation besides those who see all teams; undefined: all of the workspace. */
export async function audienceOf(tx: Tx, conversationId: string): Promise<Set<string> | undefined> {
  const rows = await tx.all<AudienceRow>(
    `SELECT m.member_id, h.assignee_id
     FROM handlings h JOIN teams t ON t.id = h.team_id AND t.is_restricted = 1
     LEFT JOIN team_members m ON m.team_id = t.id WHERE h.conversation_id = ?`,
    conversationId,
  );
  return audienceIn(rows);
}

/** The members who may see conversations of a team, and the one who answers, as `audienceOf`. */
export async function audienceOfTeam(
  tx: Tx,
  { teamId, assigneeId }: HandlingPlace,
): Promise<Set<string> | undefined> {
  const rows = await tx.all<{ memberId: string | null }>(
    `SELECT m.member_id FROM teams t LEFT JOIN team_members m ON m.team_id = t.id
     WHERE t.id = ? AND t.is_restricted = 1`,
    teamId,
  );
  return audienceIn(rows.map((row) => ({ ...row, assigneeId })));
}

/** A member of a restricted team, and who answers the conversation. */
interface AudienceRow {
  memberId: string | null;
  assigneeId: string | null;
}

function audienceIn(rows: readonly AudienceRow[]): Set<string> | undefined {
  const [first] = rows;
  if (!first) return undefined;
  return new Set([first.assigneeId, ...rows.map(({ memberId }) => memberId)].filter((id) => id !== null));
}
