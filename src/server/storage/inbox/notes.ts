// SQL that reads and changes notes. Only src/server/inbox imports it: nothing that visitors or bots reach can read a note.
import type { Tx, WriteTx } from '../database.ts';
import { redactResponses } from '../idempotency.ts';
import type { NoteRow } from './new-note.ts';

const columns = `id, conversation_id, after_seq, member_id,
  author_name, body, created_at, edited_at`;

export async function findNote(tx: Tx, conversationId: string, id: string): Promise<NoteRow | undefined> {
  return tx.get(`SELECT ${columns} FROM notes WHERE id = ? AND conversation_id = ?`, id, conversationId);
}

/** The notes that stand after a sequence number, or later, and not after another one, before an id, newest first. */
export async function notesBetween(
  tx: Tx,
  conversationId: string,
  { from, to, before, limit }: { from: number; to: number; before: string; limit: number },
): Promise<NoteRow[]> {
  return tx.all(
    `SELECT ${columns} FROM notes WHERE conversation_id = ? AND after_seq >= ? AND after_seq < ? AND id < ? ORDER BY id DESC LIMIT ?`,
    conversationId,
    from,
    to,
    before,
    limit,
  );
}

/** The notes of a conversation after an id, oldest first. */
export async function notesAfter(
  tx: Tx,
  conversationId: string,
  after: string,
  limit: number,
): Promise<NoteRow[]> {
  return tx.all(
    `SELECT ${columns} FROM notes WHERE conversation_id = ? AND id > ? ORDER BY id LIMIT ?`,
    conversationId,
    after,
    limit,
  );
}

export async function updateNote(tx: WriteTx, id: string, body: string, at: number): Promise<void> {
  await tx.run('UPDATE notes SET body = ?, edited_at = ? WHERE id = ?', body, at, id);
}

/** Deletes a note, and the cached response with its text. */
export async function deleteNote(tx: WriteTx, id: string): Promise<void> {
  await tx.run('DELETE FROM notes WHERE id = ?', id);
  await redactResponses(tx, id);
}

/** What colleagues of a member have written after a sequence number: notes, and messages of persons and of the bot. */
export async function writtenSince(
  tx: Tx,
  conversationId: string,
  seq: number,
  { memberId, personId, noteId }: { memberId: string; personId: string; noteId: string | undefined },
): Promise<{ messages: number; notes: number }> {
  const messages = await tx.get<{ n: number }>(
    `SELECT COUNT(*) AS n FROM messages WHERE conversation_id = ? AND seq > ? AND author IS NOT NULL AND user_id <> ?`,
    conversationId,
    seq,
    personId,
  );
  const notes = await tx.get<{ n: number }>(
    `SELECT COUNT(*) AS n FROM notes WHERE conversation_id = ? AND ${noteId === undefined ? 'after_seq' : 'id'} > ?
       AND member_id IS DISTINCT FROM ?`,
    conversationId,
    noteId ?? seq,
    memberId,
  );
  return { messages: Number(messages?.n ?? 0), notes: Number(notes?.n ?? 0) };
}
