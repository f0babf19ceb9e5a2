// SQL of reports: rows from which figures are computed, and messages of visitors that the bot did not answer.
import type { HandoffOutcome } from '../../../protocol/handling.ts';
import type { Tx, WriteTx } from '../database.ts';
import { isBeingDeleted } from '../deletions.ts';
import { type Condition, inList } from '../dialect.ts';
import { firstIdAt } from '../ids.ts';
import { seesConversation, type Viewer } from './visibility.ts';

/** Days of all present time zones begin at a multiple of a quarter of an hour. */
export const quarterMs = 15 * 60_000;

/** Conversations that began in a quarter of an hour. */
export interface VolumeRow {
  /** The number of the quarter since 1970. */
  quarter: number;
  conversations: number;
  handedOver: number;
}

export interface RequestedRow {
  requestedAt: number;
  firstReplyAt: number | null;
  /** The member who replied first; null without a reply, and at another desk. */
  firstReplyBy: string | null;
  outcome: HandoffOutcome | null;
}

export interface EndedRow {
  requestedAt: number;
  closedAt: number;
  outcome: HandoffOutcome | null;
  firstReplyBy: string | null;
  /** 1 if the visitor was asked for a rating. */
  wasAsked: number;
}

export interface RatedRow {
  rating: number;
  firstReplyBy: string | null;
}

export interface ReplyRow {
  repliedAt: number;
  waitingSince: number | null;
  memberId: string | null;
}

export interface AssignmentRow {
  memberId: string;
  fromAt: number;
  toAt: number | null;
}

/** The clocks of processes and of the database differ by less than this. */
const clockDifferenceMs = 60 * 60_000;

/** A visitor has written, or asked for a person. A visitor who has only read the greeting of a bot, as in a preview, had no conversation. */
const isConversation = `(c.has_handling = 1 OR (c.message_count > 0 AND EXISTS (SELECT 1 FROM messages v
  WHERE v.conversation_id = c.id AND v.is_bot = 0 AND v.author IS NULL)))`;

/** Conversations by the quarter of an hour in which they began. Ids are in the order of creation. */
export async function volumeIn(tx: Tx, { botIds, from, to }: ReportScope): Promise<VolumeRow[]> {
  const ofBots = inList(tx, 'c.bot_id', botIds);
  const rows = await tx.all<VolumeRow>(
    `SELECT c.created_at / ${quarterMs} AS quarter, COUNT(*) AS conversations, SUM(c.has_handling) AS handed_over
     FROM conversations c
     WHERE ${ofBots.sql} AND c.id >= ? AND c.id < ? AND c.created_at >= ? AND c.created_at < ? AND ${isConversation}
     GROUP BY c.created_at / ${quarterMs}`,
    ...ofBots.values,
    firstIdAt('conv', from - clockDifferenceMs),
    firstIdAt('conv', to + clockDifferenceMs),
    from,
    to,
  );
  return rows.map(({ quarter, conversations, handedOver }) => ({
    quarter: Number(quarter),
    conversations: Number(conversations),
    handedOver: Number(handedOver),
  }));
}

/** The handoffs that were requested in the period. */
export async function requestedIn(tx: Tx, scope: ReportScope): Promise<RequestedRow[]> {
  const { sql, values } = inScope(tx, scope, 'o.bot_id', 'o.requested_at', 'o.first_reply_by');
  return tx.all(
    `SELECT o.requested_at, o.first_reply_at, o.first_reply_by, o.outcome
     FROM handoffs o WHERE ${sql}`,
    ...values,
  );
}

/** The handoffs that ended in the period. */
export async function endedIn(tx: Tx, scope: ReportScope): Promise<EndedRow[]> {
  const { sql, values } = inScope(tx, scope, 'o.bot_id', 'o.closed_at', 'o.first_reply_by');
  return tx.all(
    `SELECT o.requested_at, o.closed_at, o.outcome, o.first_reply_by,
       CASE WHEN r.handoff_id IS NULL THEN 0 ELSE 1 END AS was_asked
     FROM handoffs o LEFT JOIN ratings r ON r.handoff_id = o.id WHERE ${sql}`,
    ...values,
  );
}

/** The ratings that were given in the period. */
export async function ratedIn(tx: Tx, scope: ReportScope): Promise<RatedRow[]> {
  const { sql, values } = inScope(tx, scope, 'r.bot_id', 'r.rated_at', 'o.first_reply_by');
  const rows = await tx.all<RatedRow>(
    `SELECT r.rating, o.first_reply_by FROM ratings r JOIN handoffs o ON o.id = r.handoff_id WHERE ${sql}`,
    ...values,
  );
  return rows.map((row) => ({ ...row, rating: Number(row.rating) }));
}

/** The answers that persons gave in the period. */
export async function repliesIn(tx: Tx, scope: ReportScope): Promise<ReplyRow[]> {
  const { sql, values } = inScope(tx, scope, 'p.bot_id', 'p.replied_at', 'p.member_id');
  return tx.all(
    `SELECT p.replied_at, p.waiting_since, p.member_id
     FROM person_replies p ${handoffOf(scope, 'p')} WHERE ${sql}`,
    ...values,
  );
}

/** The assignments of members that began in the period. */
export async function assignmentsIn(tx: Tx, scope: ReportScope): Promise<AssignmentRow[]> {
  const { sql, values } = inScope(tx, scope, 'a.bot_id', 'a.from_at', 'a.member_id');
  return tx.all(
    `SELECT a.member_id, a.from_at, a.to_at
     FROM assignments a ${handoffOf(scope, 'a')} WHERE ${sql} AND a.member_id IS NOT NULL`,
    ...values,
  );
}

/**
 * The rows that a report counts: rows of bots in a period, of one team or of all that the caller may see, of one member or of
 * all.
 */
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

/** The scope of a report: the period, the teams and the member, by the columns of the bot, the time and the member. */
export const inScope = (tx: Tx, scope: ReportScope, bot: string, time: string, member: string): Condition =>
  allOf(inPeriod(tx, scope, bot, time), ofTeams(tx, scope), ofMember(scope, member));

/** A message of a visitor that the bot did not answer. */
export interface UnansweredRow {
  /** The message. */
  id: string;
  conversationId: string;
  /** JSON. */
  payload: string;
  createdAt: number;
}

/** Newest rows of each kind that are read. Longer messages are never equal to others. */
const limits = { rows: 2_000, bytes: 2_000 };

const columns = `m.id, m.conversation_id, m.payload, m.created_at`;

/**
 * The condition that a message `m` of a conversation `c` can be shown. Conversations of a deleted user are inaccessible before
 * they are removed, those of a restricted team are for its members.
 */
function readable(tx: Tx, { hiddenTeamIds }: ReportScope): Condition {
  const sql = `octet_length(m.payload) <= ${limits.bytes} AND NOT ${isBeingDeleted('c.owner_id')}`;
  if (hiddenTeamIds.length === 0) return { sql, values: [] };
  const hidden = inList(tx, 'g.team_id', hiddenTeamIds);
  return {
    sql: `${sql} AND NOT EXISTS (SELECT 1 FROM handlings g WHERE g.conversation_id = c.id AND ${hidden.sql})`,
    values: hidden.values,
  };
}

/**
 * The last message of each visitor before they or the bot asked for a person, unless a person was responsible for it, of the
 * newest handoffs of the period.
 */
export async function messagesBeforeHandoffs(tx: Tx, scope: ReportScope): Promise<UnansweredRow[]> {
  const { sql, values } = allOf(inPeriod(tx, scope, 'o.bot_id', 'o.requested_at'), ofTeams(tx, scope));
  const isReadable = readable(tx, scope);
  return tx.all(
    `SELECT ${columns} FROM (
       SELECT o.id, o.conversation_id, o.requested_seq FROM handoffs o
       WHERE ${sql} AND o.requested_by IN ('visitor', 'bot') AND o.reopens IS NULL
       ORDER BY o.requested_at DESC LIMIT ?
     ) AS h
     JOIN conversations c ON c.id = h.conversation_id
     JOIN messages m ON m.conversation_id = h.conversation_id AND m.seq = (
       SELECT s.seq FROM messages s WHERE s.conversation_id = h.conversation_id AND s.seq <= h.requested_seq AND s.is_bot = 0
       ORDER BY s.seq DESC LIMIT 1)
     WHERE ${isReadable.sql} AND NOT EXISTS (
       SELECT 1 FROM handoffs e WHERE e.conversation_id = h.conversation_id AND e.id <> h.id
         AND e.requested_at <= m.created_at AND e.closed_at >= m.created_at)`,
    ...values,
    limits.rows,
    ...isReadable.values,
  );
}

/** The newest messages whose answer was rated as bad in the period, or for which the agent found no passage. */
export async function notedMessages(tx: Tx, scope: ReportScope): Promise<UnansweredRow[]> {
  const { sql, values } = inPeriod(tx, scope, 'n.bot_id', 'n.noted_at');
  const isReadable = readable(tx, scope);
  return tx.all(
    `SELECT ${columns} FROM (
       SELECT n.conversation_id, n.message_id FROM unanswered_messages n WHERE ${sql} ORDER BY n.noted_at DESC LIMIT ?
     ) AS h
     JOIN conversations c ON c.id = h.conversation_id
     JOIN messages m ON m.id = h.message_id
     WHERE ${isReadable.sql}`,
    ...values,
    limits.rows,
    ...isReadable.values,
  );
}

/** Records that a visitor rated an answer of the bot as bad: the message before the answer is unanswered. */
export async function noteBadAnswer(
  tx: WriteTx,
  answer: { id: string; conversationId: string; seq: number },
  botId: string,
  at: number,
): Promise<void> {
  await tx.run(
    `INSERT INTO unanswered_messages (conversation_id, cause_id, bot_id, message_id, noted_at)
     SELECT m.conversation_id, ?, ?, m.id, ? FROM messages m
     WHERE m.conversation_id = ? AND m.seq < ? AND m.is_bot = 0 ORDER BY m.seq DESC LIMIT 1
     ON CONFLICT DO NOTHING`,
    ...[answer.id, botId, at, answer.conversationId, answer.seq],
  );
}

/** Removes what `noteBadAnswer` has recorded, because the visitor has changed their mind. */
export async function forgetBadAnswer(
  tx: WriteTx,
  answer: { id: string; conversationId: string },
): Promise<void> {
  await tx.run(
    'DELETE FROM unanswered_messages WHERE conversation_id = ? AND cause_id = ?',
    answer.conversationId,
    answer.id,
  );
}

/**
 * Records that the knowledge of the bot has no passage for a message, if it still exists: of an agent before it answers, of other bots
 * with `knowledgeResults`. The message is then without an answer for reports, the inbox and `listUnansweredQuestions`.
 */
export async function noteEmptySearch(
  tx: WriteTx,
  message: { id: string; conversationId: string },
  botId: string,
  at: number,
): Promise<void> {
  await tx.run(
    `INSERT INTO unanswered_messages (conversation_id, cause_id, bot_id, message_id, noted_at)
     SELECT m.conversation_id, m.id, ?, m.id, ? FROM messages m WHERE m.id = ? AND m.conversation_id = ?
     ON CONFLICT DO NOTHING`,
    ...[botId, at, message.id, message.conversationId],
  );
}

/** A message of a visitor for which a search of the knowledge of the bot found no passage. */
export interface QuestionRow {
  messageId: string;
  conversationId: string;
  /** JSON; null of a very large message. */
  payload: string | null;
  createdAt: number;
  notedAt: number;
}

/** Bytes of a question whose text is read. */
const questionBytes = 20_000;

/**
 * The condition that a row `n` of `unanswered_messages` says that the knowledge has no passage, and not that an answer was rated as
 * bad: then the cause is the message itself.
 */
export const isWithoutPassage = 'n.cause_id = n.message_id';

/** The newest questions of a bot without a passage, before a time and an id. */
export async function questionsWithoutPassage(
  tx: Tx,
  viewer: Viewer,
  botId: string,
  before: readonly [number, string] | undefined,
  limit: number,
): Promise<QuestionRow[]> {
  const visible = seesConversation(viewer, 'n.conversation_id');
  return tx.all(
    `SELECT n.message_id, n.conversation_id, m.created_at, n.noted_at,
       CASE WHEN octet_length(m.payload) <= ${questionBytes} THEN m.payload END AS payload
     FROM unanswered_messages n JOIN messages m ON m.id = n.message_id AND m.superseded_by IS NULL
     JOIN conversations c ON c.id = n.conversation_id
     WHERE n.bot_id = ? AND ${isWithoutPassage} AND (n.noted_at, n.message_id) < (?, ?)
       AND NOT ${isBeingDeleted('c.owner_id')} AND ${visible.sql}
     ORDER BY n.noted_at DESC, n.message_id DESC LIMIT ?`,
    ...[botId, ...(before ?? [Number.MAX_SAFE_INTEGER, '']), ...visible.values, limit],
  );
}
