// SQL of alerts: conversations that wait while nobody has the inbox open, and the mails, pushes and webhooks about them.

import type { Role } from '../../../protocol/permissions.ts';
import type { AlertProblem } from '../../../protocol/types/inbox.ts';
import type { Tx, WriteTx } from '../database.ts';
import { type Condition, inList } from '../dialect.ts';
import { defineTable, integer, orNull, type RowOf, text, textOf, withDefault } from '../table.ts';

/** How members are told that a conversation waits. */
export type AlertChannel = 'mail' | 'push' | 'webhook';

const alerts = defineTable(
  'alerts',
  {
    conversationId: text,
    channel: textOf<AlertChannel>(),
    /** The member of a mail, the subscription of a push; '' for the webhook of the workspace. */
    target: text,
    /** The wait that it is about. */
    waitingSince: integer,
    /** Null when nothing more is to be sent. */
    dueAt: orNull(integer),
    /** The number of attempts that have begun: only the process of the last one may change the row. */
    attempts: withDefault(integer),
  },
  { botId: text },
);
export type AlertRow = RowOf<typeof alerts>;

const columns = alerts.columns();
const key = 'conversation_id = ? AND channel = ? AND target = ? AND waiting_since = ?';
const keyOf = ({ conversationId, channel, target, waitingSince }: AlertRow) =>
  [conversationId, channel, target, waitingSince] as const;

/** The roles that answer visitors, and those among them that see the conversations of all teams. */
export interface AlertRoles {
  answering: readonly Role[];
  seeingAll: readonly Role[];
}

/**
 * The condition that a member `m` could answer a conversation `h`: the member who has it, or else the members of its team, or all
 * if it has no team, or nobody of the team answers.
 */
function couldAnswer(tx: Tx, { answering, seeingAll }: AlertRoles): Condition {
  const answers = inList(tx, 'm.role', answering);
  const inTeam = inList(tx, 'x.role', answering);
  const seesAll = inList(tx, 'm.role', seeingAll);
  return {
    sql: `m.workspace_id = h.workspace_id AND ${answers.sql} AND CASE
       WHEN h.assignee_id IS NOT NULL THEN m.id = h.assignee_id
       WHEN EXISTS (SELECT 1 FROM team_members t JOIN members x ON x.id = t.member_id AND ${inTeam.sql}
         WHERE t.team_id = h.team_id)
       THEN EXISTS (SELECT 1 FROM team_members t WHERE t.team_id = h.team_id AND t.member_id = m.id)
       ELSE ${seesAll.sql} OR NOT EXISTS (SELECT 1 FROM teams r WHERE r.id = h.team_id AND r.is_restricted = 1) END`,
    values: [...answers.values, ...inTeam.values, ...seesAll.values],
  };
}

/** SQL of whom the alert of a wait is for. */
const place = "COALESCE(assignee_id, team_id, '')";
/** The condition that the present wait was not alerted for the member or the team that the conversation has now. */
const isNew = `(alerted_since IS DISTINCT FROM waiting_since OR alerted_for IS DISTINCT FROM ${place})`;
/** A person at another desk answers conversations without a member. */
const isOfMembers = "(state = 'waiting' OR (state = 'assigned' AND assignee_id IS NOT NULL))";

/** A conversation that waits. */
export interface Wait {
  conversationId: string;
  waitingSince: number;
}

/** Conversations that wait since a time or longer, were not alerted, and whose members have not opened the inbox; oldest first. */
export async function waitsToAlert(
  tx: Tx,
  {
    roles,
    waitingBefore,
    seenAfter,
    after,
    limit,
  }: { roles: AlertRoles; waitingBefore: number; seenAfter: number; after: Wait; limit: number },
): Promise<Wait[]> {
  const condition = couldAnswer(tx, roles);
  return tx.all(
    `SELECT h.conversation_id, h.waiting_since FROM handlings h
     WHERE h.waiting_since <= ? AND (h.waiting_since, h.conversation_id) > (?, ?) AND ${isOfMembers} AND ${isNew}
       AND NOT EXISTS (SELECT 1 FROM members m JOIN inbox_members i ON i.member_id = m.id AND i.seen_at > ?
         WHERE ${condition.sql})
     ORDER BY h.waiting_since, h.conversation_id LIMIT ?`,
    waitingBefore,
    after.waitingSince,
    after.conversationId,
    seenAfter,
    ...condition.values,
    limit,
  );
}

/** When the next wait after a time has begun that was not alerted. */
export async function nextWait(tx: Tx, after: number): Promise<number | undefined> {
  const row = await tx.get<{ at: number }>(
    `SELECT waiting_since AS at FROM handlings WHERE waiting_since > ? AND ${isOfMembers} AND ${isNew}
     ORDER BY waiting_since LIMIT 1`,
    after,
  );
  return row?.at;
}

/** A member who could answer a conversation. */
export interface Answerer {
  memberId: string;
  /** 0 if the member wants no mails. */
  alertMail: number;
  /** When their inbox was last open. */
  seenAt: number;
}

export async function membersWhoCouldAnswer(
  tx: Tx,
  conversationId: string,
  roles: AlertRoles,
): Promise<Answerer[]> {
  const condition = couldAnswer(tx, roles);
  return tx.all(
    `SELECT m.id AS member_id, COALESCE(i.alert_mail, 1) AS alert_mail, COALESCE(i.seen_at, 0) AS seen_at
     FROM handlings h JOIN members m ON m.workspace_id = h.workspace_id LEFT JOIN inbox_members i ON i.member_id = m.id
     WHERE h.conversation_id = ? AND ${condition.sql} ORDER BY m.id`,
    conversationId,
    ...condition.values,
  );
}

/** Stores that a wait is alerted. Returns false if it is over, or was alerted. */
export async function markAlerted(tx: WriteTx, { conversationId, waitingSince }: Wait): Promise<boolean> {
  const changes = await tx.run(
    `UPDATE handlings SET alerted_since = waiting_since, alerted_for = ${place}
     WHERE conversation_id = ? AND waiting_since = ? AND ${isOfMembers} AND ${isNew}`,
    conversationId,
    waitingSince,
  );
  return changes > 0;
}

/** Stores what is to be sent about a wait, unless it was already. Under the lock of the conversation. */
export async function insertAlert(
  tx: WriteTx,
  { conversationId, waitingSince, botId }: Wait & { botId: string },
  { channel, target }: Pick<AlertRow, 'channel' | 'target'>,
  dueAt: number,
): Promise<void> {
  await tx.run(
    `INSERT INTO alerts (conversation_id, channel, target, bot_id, waiting_since, due_at) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (conversation_id, channel, target) DO UPDATE SET waiting_since = excluded.waiting_since,
       due_at = excluded.due_at, attempts = 0 WHERE alerts.waiting_since <> excluded.waiting_since`,
    conversationId,
    channel,
    target,
    botId,
    waitingSince,
    dueAt,
  );
}

/** Pushes and webhooks whose time has come. */
export const dueAlerts = (tx: Tx, now: number, limit: number): Promise<AlertRow[]> =>
  tx.all(
    `SELECT ${columns} FROM alerts WHERE due_at <= ? AND channel <> 'mail' ORDER BY due_at LIMIT ?`,
    now,
    limit,
  );

/** The members to whom a mail is to be sent now. */
export async function dueMembers(tx: Tx, now: number, limit: number): Promise<string[]> {
  const rows = await tx.all<{ target: string }>(
    `SELECT DISTINCT target FROM alerts WHERE due_at <= ? AND channel = 'mail' ORDER BY target LIMIT ?`,
    now,
    limit,
  );
  return rows.map(({ target }) => target);
}

/** The mails that wait for a member, the longest wait first. */
export const mailsOf = (tx: Tx, memberId: string, limit: number): Promise<AlertRow[]> =>
  tx.all(
    `SELECT ${columns} FROM alerts WHERE target = ? AND channel = 'mail' AND due_at IS NOT NULL
     ORDER BY waiting_since, conversation_id LIMIT ?`,
    memberId,
    limit,
  );

/** When the next one is due, in milliseconds since 1970. */
export async function nextAlert(tx: Tx): Promise<number | undefined> {
  const row = await tx.get<{ at: number }>(
    'SELECT due_at AS at FROM alerts WHERE due_at IS NOT NULL ORDER BY due_at LIMIT 1',
  );
  return row?.at;
}

/** The row as it is now, if its wait is the same and it is not over. */
export const presentAlert = (tx: Tx, row: AlertRow): Promise<AlertRow | undefined> =>
  tx.get(`SELECT ${columns} FROM alerts WHERE ${key} AND due_at IS NOT NULL`, ...keyOf(row));

/** Begins an attempt. Until `dueAt` no other one begins. */
export async function beginAlert(tx: WriteTx, row: AlertRow, dueAt: number): Promise<AlertRow> {
  await tx.run(
    `UPDATE alerts SET due_at = ?, attempts = attempts + 1 WHERE ${key} AND attempts = ?`,
    dueAt,
    ...keyOf(row),
    row.attempts,
  );
  return { ...row, dueAt, attempts: row.attempts + 1 };
}

/** Changes when the next attempt begins; null: there is none. Only if no other one has begun. */
export async function setAlertDue(tx: WriteTx, row: AlertRow, dueAt: number | null): Promise<void> {
  await tx.run(
    `UPDATE alerts SET due_at = ? WHERE ${key} AND attempts = ?`,
    dueAt,
    ...keyOf(row),
    row.attempts,
  );
}

/** The choice of a member, and when the last mail was sent to them. */
export interface MemberAlerts {
  alertMail: number;
  alertedAt: number | null;
}

export async function memberAlerts(tx: Tx, memberId: string): Promise<MemberAlerts> {
  const row = await tx.get<MemberAlerts>(
    'SELECT alert_mail, alerted_at FROM inbox_members WHERE member_id = ?',
    memberId,
  );
  return row ?? { alertMail: 1, alertedAt: null };
}

export async function setMemberAlerts(
  tx: WriteTx,
  memberId: string,
  { alertMail, alertedAt }: MemberAlerts,
): Promise<void> {
  await tx.run(
    `INSERT INTO inbox_members (member_id, availability, alert_mail, alerted_at) VALUES (?, 'available', ?, ?)
     ON CONFLICT (member_id) DO UPDATE SET alert_mail = excluded.alert_mail, alerted_at = excluded.alerted_at`,
    memberId,
    alertMail,
    alertedAt,
  );
}

/** The webhook of a workspace, which tells its chat tool. */
export interface TeamAlerts {
  url: string | null;
  problem: AlertProblem | null;
}

export async function teamAlerts(tx: Tx, workspaceId: string): Promise<TeamAlerts> {
  const row = await tx.get<{ url: string | null; error: string | null }>(
    'SELECT alert_url AS url, alert_error AS error FROM inbox_settings WHERE workspace_id = ?',
    workspaceId,
  );
  return {
    url: row?.url ?? null,
    problem: row?.error == null ? null : (JSON.parse(row.error) as AlertProblem),
  };
}

/** Stores the address. The last problem was of another one. */
export async function setTeamAlerts(tx: WriteTx, workspaceId: string, url: string | null): Promise<void> {
  await tx.run(
    `INSERT INTO inbox_settings (workspace_id, alert_url) VALUES (?, ?)
     ON CONFLICT (workspace_id) DO UPDATE SET alert_url = excluded.alert_url, alert_error = NULL`,
    workspaceId,
    url,
  );
}

/** Stores why the last request failed, or that it did not, unless the address was changed meanwhile. */
export async function setAlertProblem(
  tx: WriteTx,
  workspaceId: string,
  url: string,
  problem: AlertProblem | undefined,
): Promise<void> {
  await tx.run(
    'UPDATE inbox_settings SET alert_error = ? WHERE workspace_id = ? AND alert_url = ?',
    problem ? JSON.stringify(problem) : null,
    workspaceId,
    url,
  );
}
