// SQL of the rows from which the figures of a report are computed, by index and from narrow rows.
import type { HandoffOutcome } from '../../../protocol/handling.ts';
import type { Tx } from '../database.ts';
import { inList } from '../dialect.ts';
import { firstIdAt } from '../ids.ts';
import { handoffOf, inScope, type ReportScope } from './scope.ts';

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

/** Conversations with a message, by the quarter of an hour in which they began. Ids are in the order of creation. */
export async function volumeIn(tx: Tx, { botIds, from, to }: ReportScope): Promise<VolumeRow[]> {
  const ofBots = inList(tx, 'c.bot_id', botIds);
  const rows = await tx.all<VolumeRow>(
    `SELECT c.created_at / ${quarterMs} AS quarter, COUNT(*) AS conversations, SUM(c.has_handling) AS handed_over
     FROM conversations c
     WHERE ${ofBots.sql} AND c.id >= ? AND c.id < ? AND c.created_at >= ? AND c.created_at < ? AND c.message_count > 0
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
