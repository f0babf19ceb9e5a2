// Operations of the inbox on reports: what a caller may count, and the figures of a period.
import { setImmediate } from 'node:timers/promises';
import { maxReportDays } from '../../../protocol/inbox.ts';
import { type CalendarDay, countDays, daysOf } from '../../../protocol/locale/time-zones.ts';
import { reports } from '../../../protocol/operations/inbox/reports.ts';
import type { Checked } from '../../../protocol/operations/operation.ts';
import { isPermitted } from '../../../protocol/permissions.ts';
import type { MemberFigures, Report, ReportQuestion } from '../../../protocol/types/reports.ts';
import type { Principal } from '../../api/caller.ts';
import { ApiError } from '../../api/errors.ts';
import { viewerOf } from '../../auth/principal.ts';
import { listMembers } from '../../storage/admin/workspaces.ts';
import { botsOfWorkspace, findBot } from '../../storage/bots/bots.ts';
import type { Tx } from '../../storage/database.ts';
import {
  assignmentsIn,
  endedIn,
  hiddenTeams,
  messagesBeforeHandoffs,
  notedMessages,
  type ReportScope,
  ratedIn,
  repliesIn,
  requestedIn,
  volumeIn,
} from '../../storage/inbox/reports.ts';
import { findTeam } from '../../storage/inbox/teams.ts';
import { reportCsv } from '../report-csv.ts';
import { figuresOf, questionsOf, type ReportRows } from '../report-figures.ts';
import { handle } from './services.ts';

type Asked = Checked<typeof reports.getReport>;

export const reportHandlers = [
  handle(reports.getReport, async ({ tx, caller, input, services }) => ({
    body: { report: await reportOf(tx, caller, input, services.now()) },
  })),

  handle(reports.exportReport, async ({ tx, caller, input, services }) => {
    const { table, ...asked } = input;
    const report = await reportOf(tx, caller, asked, services.now());
    return { body: { name: `report-${table}-${asked.from}-${asked.to}.csv`, csv: reportCsv(report, table) } };
  }),
];

/** `now`: until when what has not ended is counted. */
async function reportOf(tx: Tx, caller: Principal, asked: Asked, now: number): Promise<Report> {
  const days = daysOf(periodOf(asked));
  const [first, last] = [days[0], days.at(-1)];
  const isOwn = !isPermitted(caller.kind, 'reports.all');
  const scope: ReportScope = {
    ...(await visibleScope(tx, caller, asked)),
    from: first?.from ?? 0,
    to: last?.to ?? 0,
    memberId: isOwn ? (caller.memberId ?? '') : undefined,
  };
  const isOfAll = !isOwn && scope.teamId === undefined;
  const rows = await readRows(tx, scope, days, isOfAll);
  const { members, ...figures } = figuresOf(rows, days, now);
  const names = await namesOf(tx, caller.workspaceId);
  return {
    isOwn,
    ...figures,
    members: members.map((member) => ({ ...member, ...names.get(member.memberId) })),
    ...(isOfAll ? { questions: await unansweredQuestions(tx, scope) } : {}),
  };
}

/** Throws InvalidQuery for a period that ends before it begins, is too long, or lies before all conversations. */
function periodOf({ from, to, timeZone = 'UTC' }: Asked): { from: string; to: string; timeZone: string } {
  const days = countDays(from, to);
  if (days < 1) throw new ApiError('InvalidQuery', 'to: Expected a date that is not before `from`.');
  if (days > maxReportDays)
    throw new ApiError('InvalidQuery', `to: A report has at most ${maxReportDays} days.`);
  if (from < '1970-01-02') throw new ApiError('InvalidQuery', 'from: Expected a date after 1970-01-01.');
  return { from, to, timeZone };
}

/** The bots and teams that the caller may count. A bot or team of another workspace, or a team that the caller may not see, is not found. */
async function visibleScope(
  tx: Tx,
  caller: Principal,
  { bot, team }: Asked,
): Promise<Pick<ReportScope, 'botIds' | 'teamId' | 'hiddenTeamIds'>> {
  const { workspaceId } = caller;
  if (bot !== undefined && !(await findBot(tx, workspaceId, bot)))
    throw new ApiError('ResourceNotFound', 'The bot does not exist.');
  const hiddenTeamIds = await hiddenTeams(tx, viewerOf(caller));
  const isFound = team === undefined || (await findTeam(tx, workspaceId, team)) !== undefined;
  if (!isFound || (team !== undefined && hiddenTeamIds.includes(team)))
    throw new ApiError('ResourceNotFound', 'The team does not exist.');
  const botIds = bot === undefined ? await botsOfWorkspace(tx, workspaceId) : [bot];
  return { botIds, teamId: team, hiddenTeamIds };
}

async function unansweredQuestions(tx: Tx, scope: ReportScope): Promise<ReportQuestion[]> {
  const rows = [...(await messagesBeforeHandoffs(tx, scope)), ...(await notedMessages(tx, scope))];
  return questionsOf(rows);
}

/** More members than a report names. */
const maxMembers = 10_000;

/** The names of the members of a workspace, as colleagues see them, with the addresses of those who share a name. */
async function namesOf(
  tx: Tx,
  workspaceId: string,
): Promise<Map<string, Pick<MemberFigures, 'name' | 'email'>>> {
  const members = await listMembers(tx, workspaceId, undefined, maxMembers);
  const counts = new Map<string, number>();
  const named = members.map(({ id, displayName, email }) => {
    const name = displayName || email;
    counts.set(name, (counts.get(name) ?? 0) + 1);
    return { id, name, email };
  });
  return new Map(
    named.map(({ id, name, email }) => [id, (counts.get(name) ?? 0) > 1 ? { name, email } : { name }]),
  );
}

/** On SQLite, a statement occupies the process. */
const daysOfPiece = 31;

/**
 * Reads the rows of a report in `days` in pieces of a month, so that other requests run between them. `isOfAll`: conversations
 * are counted, too.
 */
export async function readRows(
  tx: Tx,
  scope: Omit<ReportScope, 'from' | 'to'>,
  days: readonly CalendarDay[],
  isOfAll: boolean,
): Promise<ReportRows> {
  let rows: ReportRows = {
    ...{
      volume: isOfAll ? [] : undefined,
      requested: [],
      ended: [],
      rated: [],
      replies: [],
      assignments: [],
    },
  };
  for (let at = 0; at < days.length; at += daysOfPiece) {
    const part = days.slice(at, at + daysOfPiece);
    const piece = { ...scope, from: part[0]?.from ?? 0, to: part.at(-1)?.to ?? 0 };
    rows = {
      volume: rows.volume?.concat(await volumeIn(tx, piece)),
      requested: rows.requested.concat(await requestedIn(tx, piece)),
      ended: rows.ended.concat(await endedIn(tx, piece)),
      rated: rows.rated.concat(await ratedIn(tx, piece)),
      replies: rows.replies.concat(await repliesIn(tx, piece)),
      assignments: rows.assignments.concat(await assignmentsIn(tx, piece)),
    };
    await setImmediate();
  }
  return rows;
}
