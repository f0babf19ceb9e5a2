// SQL of the messages of visitors that the bot did not answer, for reports.
import type { Tx } from '../database.ts';
import { isBeingDeleted } from '../deletions.ts';
import { type Condition, inList } from '../dialect.ts';
import { allOf, inPeriod, ofTeams, type ReportScope } from './scope.ts';

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
