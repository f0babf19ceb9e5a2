// SQL that reads and changes notes, the members whom they mention, and their files. Only src/server/inbox imports it: nothing
// that visitors or bots reach can read a note.
import type { Tx, WriteTx } from '../database.ts';
import { inList } from '../dialect.ts';
import { deleteFiles } from '../files/deletions.ts';
import { completeSql, type FileRow, fileColumns } from '../files/files.ts';
import { redactResponses } from '../idempotency.ts';
import { botOfConversation } from '../table.ts';
import type { NoteRow } from './new-note.ts';
import { indexTexts, removeDeletedText } from './searched-texts.ts';

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

/** Replaces the text of a note, whose conversation is locked. */
export async function updateNote(
  tx: WriteTx,
  { id, conversationId, afterSeq, createdAt }: NoteRow,
  body: string,
  at: number,
): Promise<void> {
  await tx.run('UPDATE notes SET body = ?, edited_at = ? WHERE id = ?', body, at, id);
  const text = { textId: id, isNote: true, seq: afterSeq, createdAt, text: body };
  await indexTexts(tx, conversationId, [text]);
}

/** Deletes a note, and the cached response with its text. */
export async function deleteNote(tx: WriteTx, id: string): Promise<void> {
  await tx.run('DELETE FROM notes WHERE id = ?', id);
  await redactResponses(tx, id);
  await removeDeletedText(tx, id);
}

/** The notes with these ids, in any order. */
export async function findNotes(tx: Tx, ids: readonly string[]): Promise<NoteRow[]> {
  const condition = inList(tx, 'id', ids);
  return tx.all(`SELECT ${columns} FROM notes WHERE ${condition.sql}`, ...condition.values);
}

/** Texts of colleagues of a member after a sequence number: notes, and messages of persons and of the bot. */
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

/** A file of a note, or one that waits for its note. */
export interface NoteFileRow {
  id: string;
  key: string;
  size: number;
  contentType: string;
}

/** The ids of the members and the files of a note. */
export interface NoteContents {
  mentions: string[];
  files: NoteFileRow[];
}

const noteFileColumns = 'f.id, f.key, f.size, f.content_type';

/** The contents of these notes of a conversation, by the ids of the notes. */
export async function noteContentsOf(
  tx: Tx,
  conversationId: string,
  noteIds: readonly string[],
): Promise<Map<string, NoteContents>> {
  const contents = new Map<string, NoteContents>(noteIds.map((id) => [id, { mentions: [], files: [] }]));
  const condition = inList(tx, 'n.note_id', noteIds);
  const mentions = await tx.all<{ noteId: string; memberId: string }>(
    `SELECT n.note_id, n.member_id FROM note_mentions n
     WHERE n.conversation_id = ? AND ${condition.sql} ORDER BY n.member_id`,
    conversationId,
    ...condition.values,
  );
  for (const { noteId, memberId } of mentions) contents.get(noteId)?.mentions.push(memberId);
  const files = await tx.all<NoteFileRow & { noteId: string }>(
    `SELECT n.note_id, ${noteFileColumns} FROM note_files n JOIN files f ON f.id = n.file_id
     WHERE n.conversation_id = ? AND ${condition.sql} ORDER BY f.id`,
    conversationId,
    ...condition.values,
  );
  for (const { noteId, ...file } of files) contents.get(noteId)?.files.push(file);
  return contents;
}

/** The files of the notes of a conversation after an id, oldest first, also those that wait for their note. */
export async function noteFilesAfter(
  tx: Tx,
  conversationId: string,
  after: string,
  limit: number,
): Promise<FileRow[]> {
  return tx.all(
    `SELECT ${fileColumns} FROM files f WHERE f.owner_type = 'note' AND f.owner_id = ? AND f.id > ?
     ORDER BY f.id LIMIT ?`,
    conversationId,
    after,
    limit,
  );
}

/** The members whom the notes of a conversation mention, and those of them who have not seen all of these notes. */
export interface Mentioned {
  members: string[];
  unseen: string[];
}

/** The ids of the members whom the notes of conversations mention, by the ids of the conversations. */
export async function mentionsIn(
  tx: Tx,
  conversationIds: readonly string[],
): Promise<Map<string, Mentioned>> {
  const condition = inList(tx, 'conversation_id', conversationIds);
  const rows = await tx.all<{ id: string; memberId: string; seen: number }>(
    `SELECT conversation_id AS id, member_id, MIN(seen) AS seen FROM note_mentions
     WHERE ${condition.sql} GROUP BY conversation_id, member_id ORDER BY conversation_id, member_id`,
    ...condition.values,
  );
  const mentions = new Map<string, Mentioned>();
  for (const { id, memberId, seen } of rows) {
    const { members, unseen } = mentions.get(id) ?? { members: [], unseen: [] };
    mentions.set(id, {
      members: [...members, memberId],
      unseen: Number(seen) === 0 ? [...unseen, memberId] : unseen,
    });
  }
  return mentions;
}

/** Records that a member has seen the notes up to a sequence number that mention them. Returns whether any was new to them. */
export async function seeMentions(
  tx: WriteTx,
  conversationId: string,
  memberId: string,
  seq: number,
): Promise<boolean> {
  const changes = await tx.run(
    `UPDATE note_mentions SET seen = 1 WHERE conversation_id = ? AND member_id = ? AND seen = 0
       AND note_id IN (SELECT id FROM notes WHERE conversation_id = ? AND after_seq <= ?)`,
    conversationId,
    memberId,
    conversationId,
    seq,
  );
  return changes > 0;
}

/** Replaces the members whom a note mentions. Returns whether they have changed. */
export async function setMentions(
  tx: WriteTx,
  { id, conversationId }: { id: string; conversationId: string },
  memberIds: readonly string[],
): Promise<boolean> {
  const before = (await noteContentsOf(tx, conversationId, [id])).get(id)?.mentions ?? [];
  const after = new Set(memberIds);
  const removed = before.filter((memberId) => !after.has(memberId));
  const added = [...after].filter((memberId) => !before.includes(memberId));
  // The others stay as they are: they may have been seen.
  for (const memberId of removed)
    await tx.run(
      'DELETE FROM note_mentions WHERE conversation_id = ? AND note_id = ? AND member_id = ?',
      conversationId,
      id,
      memberId,
    );
  for (const memberId of added)
    await tx.run(
      `INSERT INTO note_mentions (conversation_id, note_id, member_id, bot_id) VALUES (?, ?, ?, ${botOfConversation})`,
      conversationId,
      id,
      memberId,
      conversationId,
    );
  return removed.length + added.length > 0;
}

/**
 * Gives uploaded files of a conversation to a note, whose conversation is locked. Returns how many of them can be given: those
 * that are complete, not expired, of this conversation and of no other note. If it is not all, the transaction must end.
 */
export async function attachFiles(
  tx: WriteTx,
  { id, conversationId }: { id: string; conversationId: string },
  fileIds: readonly string[],
  now: number,
): Promise<number> {
  if (fileIds.length === 0) return 0;
  const condition = inList(tx, 'f.id', fileIds);
  // Files of a note do not expire by themselves. First, because it locks the files: they may be about to expire.
  const attached = await tx.run(
    `UPDATE files AS f SET expires_at = NULL
     WHERE ${condition.sql} AND f.owner_type = 'note' AND f.owner_id = ? AND ${completeSql} AND f.expires_at > ?`,
    ...condition.values,
    conversationId,
    now,
  );
  if (attached < fileIds.length) return attached;
  await tx.run(
    `INSERT INTO note_files (file_id, conversation_id, note_id, bot_id)
     SELECT f.id, f.owner_id, CAST(? AS TEXT), f.bot_id FROM files f WHERE ${condition.sql}`,
    id,
    ...condition.values,
  );
  return attached;
}

/** Deletes what a note has besides its text. Returns what that was. */
export async function deleteNoteContents(
  tx: WriteTx,
  { id, conversationId }: { id: string; conversationId: string },
): Promise<{ hasMentions: boolean; hasFiles: boolean }> {
  const { mentions, files } = (await noteContentsOf(tx, conversationId, [id])).get(id) ?? {
    mentions: [],
    files: [],
  };
  await tx.run('DELETE FROM note_mentions WHERE conversation_id = ? AND note_id = ?', conversationId, id);
  await tx.run('DELETE FROM note_files WHERE conversation_id = ? AND note_id = ?', conversationId, id);
  if (files.length > 0)
    await deleteFiles(
      tx,
      files.map((file) => file.id),
    );
  return { hasMentions: mentions.length > 0, hasFiles: files.length > 0 };
}
