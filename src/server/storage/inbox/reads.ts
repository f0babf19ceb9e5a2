// SQL of read marks: up to which sequence number somebody has read a conversation.
import type { Tx, WriteTx } from '../database.ts';
import { botOfConversation } from '../table.ts';

/** `visitor`: a user of the bot; `person`: the member who answers. */
export type ReaderKind = 'visitor' | 'person';

/** Raises a mark, under the lock of the conversation. Returns false if it was as high already. */
export async function raiseRead(
  tx: WriteTx,
  mark: { conversationId: string; reader: string; kind: ReaderKind; seq: number },
): Promise<boolean> {
  const changes = await tx.run(
    `INSERT INTO reads (conversation_id, reader, kind, last_seq, bot_id) VALUES (?, ?, ?, ?, ${botOfConversation})
     ON CONFLICT (conversation_id, reader) DO UPDATE SET last_seq = excluded.last_seq
     WHERE reads.last_seq < excluded.last_seq`,
    mark.conversationId,
    mark.reader,
    mark.kind,
    mark.seq,
    mark.conversationId,
  );
  return changes > 0;
}

/** The newest message that one side has read. */
export interface ReadMark {
  seq: number;
  /** Its time, in milliseconds since 1970. */
  createdAt: number;
}

/** The newest message of a conversation up to a sequence number. */
export async function messageUpTo(
  tx: Tx,
  conversationId: string,
  seq: number,
): Promise<ReadMark | undefined> {
  return tx.get(
    `SELECT seq, created_at FROM messages WHERE conversation_id = ? AND seq <= ?
     ORDER BY seq DESC LIMIT 1`,
    conversationId,
    seq,
  );
}

/** The newest message that anybody of this side has read. */
export async function readBy(
  tx: Tx,
  conversationId: string,
  kind: ReaderKind,
): Promise<ReadMark | undefined> {
  const row = await tx.get<{ seq: number | null }>(
    'SELECT MAX(last_seq) AS seq FROM reads WHERE conversation_id = ? AND kind = ?',
    conversationId,
    kind,
  );
  return row?.seq == null ? undefined : messageUpTo(tx, conversationId, Number(row.seq));
}

/** Whether the bot tells each side what the other one has read. */
export async function hasReadReceipts(tx: Tx, botId: string): Promise<boolean> {
  return (await tx.get('SELECT 1 FROM bots WHERE id = ? AND read_receipts = 1', botId)) !== undefined;
}

/** Moves the marks of a user to another one, whose own marks stay. */
export async function moveReads(tx: WriteTx, from: string, to: string): Promise<void> {
  await tx.run(
    `UPDATE reads SET reader = ? WHERE reader = ?
       AND conversation_id NOT IN (SELECT conversation_id FROM reads WHERE reader = ?)`,
    to,
    from,
    to,
  );
  await tx.run('DELETE FROM reads WHERE reader = ?', from);
}

/** Deletes up to `limit` marks of a user, and returns their number. */
export async function deleteReadsOf(tx: WriteTx, reader: string, limit: number): Promise<number> {
  return tx.run(
    `DELETE FROM reads WHERE reader = ? AND conversation_id IN
       (SELECT conversation_id FROM reads WHERE reader = ? LIMIT ?)`,
    reader,
    reader,
    limit,
  );
}
