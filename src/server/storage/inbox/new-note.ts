// SQL that writes a note. Apart from notes.ts, which reads them: what a bot can write here, it cannot read.
import { limits } from '../../../protocol/limits.ts';
import type { WriteTx } from '../database.ts';
import { createId } from '../ids.ts';
import { botOfConversation } from '../table.ts';
import { indexTexts } from './searched-texts.ts';

export interface NoteRow {
  id: string;
  conversationId: string;
  afterSeq: number;
  /** Null for the note of a bot. */
  memberId: string | null;
  authorName: string;
  body: string;
  createdAt: number;
  editedAt: number | null;
}

/** Stores a note; returns undefined if the conversation, whose lock is held, has too many. */
export async function insertNote(
  tx: WriteTx,
  note: Omit<NoteRow, 'id' | 'editedAt'>,
): Promise<NoteRow | undefined> {
  const row = { ...note, id: createId('note'), editedAt: null };
  const changes = await tx.run(
    `INSERT INTO notes (id, conversation_id, after_seq, member_id, author_name, body, created_at, bot_id)
     SELECT ?, ?, ?, ?, ?, ?, ?, ${botOfConversation} WHERE (SELECT COUNT(*) FROM notes WHERE conversation_id = ?) < ?`,
    row.id,
    row.conversationId,
    row.afterSeq,
    row.memberId,
    row.authorName,
    row.body,
    row.createdAt,
    row.conversationId,
    row.conversationId,
    limits.inbox.notes,
  );
  if (changes === 0) return undefined;
  const text = { textId: row.id, isNote: true, seq: row.afterSeq, createdAt: row.createdAt, text: row.body };
  await indexTexts(tx, row.conversationId, [text]);
  return row;
}
