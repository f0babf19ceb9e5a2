// SQL of the visitors' opinion of the bot in rows of the list `bot`: the last rating, and whether the last message has no answer.
import type { Tx } from '../database.ts';
import { inList } from '../dialect.ts';
import { isWithoutPassage } from './reports.ts';

/** The last rating and the last question of a conversation. */
export interface OpinionRow {
  conversationId: string;
  /** Of the newest message with one (JSON), and the time of that message. */
  feedback: string | null;
  feedbackAt: number | null;
  /** The newest rating of a person. */
  stars: number | null;
  ratedAt: number | null;
  isUnanswered: number;
}

/** Messages of a conversation that are looked at. */
const lastMessages = 50;

/** The opinions in these conversations that have any, by their ids. */
export async function opinionsOf(
  tx: Tx,
  conversationIds: readonly string[],
): Promise<Map<string, OpinionRow>> {
  if (conversationIds.length === 0) return new Map();
  const condition = inList(tx, 'c.id', conversationIds);
  const last = `(SELECT m.id, m.seq, m.feedback, m.created_at FROM messages m WHERE m.conversation_id = c.id
    ORDER BY m.seq DESC LIMIT ${lastMessages}) AS l`;
  const rated = (column: string) => `(SELECT l.${column} FROM ${last} WHERE l.feedback IS NOT NULL
    ORDER BY l.seq DESC LIMIT 1)`;
  const given = (column: string) => `(SELECT r.${column} FROM ratings r WHERE r.conversation_id = c.id
    AND r.rated_at IS NOT NULL ORDER BY r.rated_at DESC LIMIT 1)`;
  const question = `(SELECT m.id FROM messages m WHERE m.conversation_id = c.id AND m.is_bot = 0 AND m.author IS NULL
    AND m.superseded_by IS NULL ORDER BY m.seq DESC LIMIT 1)`;
  const rows = await tx.all<OpinionRow>(
    `SELECT c.id AS conversation_id, ${rated('feedback')} AS feedback, ${rated('created_at')} AS feedback_at,
       ${given('rating')} AS stars, ${given('rated_at')} AS rated_at,
       CASE WHEN EXISTS (SELECT 1 FROM unanswered_messages n WHERE n.conversation_id = c.id AND ${isWithoutPassage}
         AND n.message_id = ${question}) THEN 1 ELSE 0 END AS is_unanswered
     FROM conversations c WHERE ${condition.sql}`,
    ...condition.values,
  );
  return new Map(rows.map((row) => [row.conversationId, row]));
}
