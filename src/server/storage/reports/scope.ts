// SQL of what a report counts: rows of bots in a period, of one team or of all that the caller may see, of one member or of all.
import type { Tx } from '../database.ts';
import { type Condition, inList } from '../dialect.ts';
import type { Viewer } from '../inbox/visibility.ts';

export interface ReportScope {
  /** Milliseconds since 1970; `to` is exclusive. */
  from: number;
  to: number;
  botIds: readonly string[];
  teamId: string | undefined;
  /** Counts the work of this member only. */
  memberId: string | undefined;
  /** Restricted teams that the caller may not see. */
  hiddenTeamIds: readonly string[];
}

/** The restricted teams of the workspace whose conversations a viewer may not see. */
export async function hiddenTeams(tx: Tx, viewer: Viewer): Promise<string[]> {
  if (viewer.seesAllTeams) return [];
  const rows = await tx.all<{ id: string }>(
    `SELECT r.id FROM teams r WHERE r.workspace_id = ? AND r.is_restricted = 1 AND NOT EXISTS
       (SELECT 1 FROM team_members rm WHERE rm.team_id = r.id AND rm.member_id = ?)`,
    viewer.workspaceId,
    viewer.memberId,
  );
  return rows.map(({ id }) => id);
}

/** The condition that a row is of one of the bots and has its time in the period. */
export function inPeriod(
  tx: Tx,
  { botIds, from, to }: Pick<ReportScope, 'botIds' | 'from' | 'to'>,
  botColumn: string,
  timeColumn: string,
): Condition {
  const ofBots = inList(tx, botColumn, botIds);
  return {
    sql: `${ofBots.sql} AND ${timeColumn} >= ? AND ${timeColumn} < ?`,
    values: [...ofBots.values, from, to],
  };
}

/** The condition that a handoff `o` is of the team of the report, or of any that the caller may see. */
export function ofTeams(tx: Tx, { teamId, hiddenTeamIds }: ReportScope): Condition {
  if (teamId !== undefined) return { sql: 'o.team_id = ?', values: [teamId] };
  if (hiddenTeamIds.length === 0) return { sql: '1 = 1', values: [] };
  const hidden = inList(tx, 'o.team_id', hiddenTeamIds);
  return { sql: `(o.team_id IS NULL OR NOT (${hidden.sql}))`, values: hidden.values };
}

/** Joins the handoff `o` of a row, if the team is asked for. */
export const handoffOf = ({ teamId, hiddenTeamIds }: ReportScope, table: string): string =>
  teamId === undefined && hiddenTeamIds.length === 0 ? '' : `JOIN handoffs o ON o.id = ${table}.handoff_id`;

/** The condition that a row is of the member of the report, or of anybody. */
const ofMember = ({ memberId }: ReportScope, column: string): Condition =>
  memberId === undefined ? { sql: '1 = 1', values: [] } : { sql: `${column} = ?`, values: [memberId] };

/** Joins conditions with AND. */
export const allOf = (...conditions: readonly Condition[]): Condition => ({
  sql: conditions.map(({ sql }) => sql).join(' AND '),
  values: conditions.flatMap(({ values }) => values),
});

/** What a report covers: the period, the teams and the member, by the columns of the bot, the time and the member. */
export const inScope = (tx: Tx, scope: ReportScope, bot: string, time: string, member: string): Condition =>
  allOf(inPeriod(tx, scope, bot, time), ofTeams(tx, scope), ofMember(scope, member));
