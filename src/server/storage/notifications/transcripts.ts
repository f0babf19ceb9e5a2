// SQL of the messages of a conversation for a mail.
import type { MessageRow } from '../chat/messages.ts';
import type { Tx } from '../database.ts';
import { inList } from '../dialect.ts';
import { bytesSql, firstWithin } from '../reading/within-bytes.ts';

/** What a mail needs of a message. */
export type TranscriptRow = Pick<MessageRow, 'seq' | 'userId' | 'isBot' | 'payload' | 'author' | 'createdAt'>;

/**
 * The newest messages up to a sequence number that none has taken the place of, newest first: at most `limit`, and none after
 * that with which they have more than `bytes` (../reading/within-bytes.ts).
 */
export async function messagesUpTo(
  tx: Tx,
  conversationId: string,
  seq: number,
  limit: number,
  bytes: number,
): Promise<TranscriptRow[]> {
  const rows = `SELECT n.id, n.seq, ${bytesSql.events('n')} AS bytes FROM messages n
    WHERE n.conversation_id = ? AND n.seq <= ? AND n.superseded_by IS NULL ORDER BY n.seq DESC LIMIT ?`;
  return tx.all(
    `SELECT m.seq, m.user_id, m.is_bot, m.payload, m.author, m.created_at
     FROM messages m WHERE m.id IN (${firstWithin(rows, 'w.seq DESC')}) ORDER BY m.seq DESC`,
    conversationId,
    seq,
    limit,
    bytes,
  );
}

/** The sequence number of the newest message; undefined if there is none. */
export async function newestMessage(tx: Tx, conversationId: string): Promise<number | undefined> {
  const row = await tx.get<{ seq: number | null }>(
    'SELECT MAX(seq) AS seq FROM messages WHERE conversation_id = ?',
    conversationId,
  );
  return row?.seq === null || row === undefined ? undefined : Number(row.seq);
}

/** The names of users, by id; those without a name are left out. */
export async function namesOf(tx: Tx, userIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const condition = inList(tx, 'id', userIds);
  const rows = await tx.all<{ id: string; name: string | null }>(
    `SELECT id, name FROM users WHERE ${condition.sql}`,
    ...condition.values,
  );
  return new Map(rows.flatMap(({ id, name }) => (name ? [[id, name] as const] : [])));
}
