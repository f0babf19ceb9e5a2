// SQL of files: the records of visitors' files and of the Files API. The bytes are on disk (files/bytes/store.ts).
import type { PlatformFileStatus } from '../../../protocol/types/files.ts';
import type { Tx, WriteTx } from '../database.ts';
import { isBeingDeleted } from '../deletions.ts';
import {
  defineTable,
  insert,
  integer,
  integerOf,
  orNull,
  type RowOf,
  text,
  textOf,
  update,
  withDefault,
} from '../table.ts';
import { enqueueFileData } from './deletions.ts';
import type { ConversationFileOwner } from './owners.ts';

const files = defineTable(
  'files',
  {
    id: text,
    botId: text,
    /**
     * `visitor`: sent in a chat; `conversation`: sent to the visitor by a member of the team; `note`: of a note for the
     * team (inbox/notes.ts); the other types are files of
     * the Files API.
     */
    ownerType: textOf<ConversationFileOwner | 'bot' | 'integration' | 'user'>(),
    /** The visitor, the conversation, the bot or the member; null for an integration. */
    ownerId: orNull(text),
    /** The integration. */
    ownerName: orNull(text),
    /** Keys are unique within a space; null for files in conversations. */
    space: orNull(text),
    key: text,
    /** The declared number of bytes, which a complete file has exactly. */
    size: integer,
    /** The name of its bytes on disk. Each upload has a new one; copies share it. */
    contentId: text,
    declaredType: text,
    contentType: text,
    status: textOf<PlatformFileStatus>(),
    failedReason: orNull(text),
    /** JSON: sentences about text that could not be read; null for none. */
    warnings: orNull(text),
    /** JSON. */
    tags: withDefault(text),
    /** JSON. */
    metadata: withDefault(text),
    isPublic: withDefault(integerOf<0 | 1>()),
    forIntegrations: withDefault(integerOf<0 | 1>()),
    isIndexed: withDefault(integerOf<0 | 1>()),
    /** The index version that is searched. */
    indexVersion: orNull(text),
    expiresAt: orNull(integer),
    /** The time when its upload was announced. */
    announcedAt: integer,
    createdAt: integer,
    updatedAt: integer,
  },
  {
    pendingVersion: orNull(text),
    indexAttempts: withDefault(integer),
    indexedBytes: withDefault(integer),
  },
);
export type FileRow = RowOf<typeof files>;

/** The columns of a FileRow, of the files `f`. */
export const fileColumns = files.columns('f.');

/** The statuses of files whose bytes are complete. */
const completeStatuses = "'upload_completed', 'indexing_pending', 'indexing_completed', 'indexing_failed'";
const complete = new Set<string>([
  'upload_completed',
  'indexing_pending',
  'indexing_completed',
  'indexing_failed',
]);

/** True when the bytes of the file are complete. */
export const isComplete = (file: { status: string }): boolean => complete.has(file.status);

/** SQL condition: the files `f` that are not those of a deleted visitor or of a deleted conversation. */
const isVisible = `NOT (f.owner_type = 'visitor' AND ${isBeingDeleted('f.owner_id')})
  AND NOT (f.owner_type IN ('conversation', 'note') AND ${isBeingDeleted('f.owner_id', 'conversation')})`;

/** A file of any owner. */
export async function findFile(tx: Tx, id: string): Promise<FileRow | undefined> {
  return tx.get(`SELECT ${fileColumns} FROM files f WHERE f.id = ? AND ${isVisible}`, id);
}

/** The file that an upload of these bytes belongs to. Copies share bytes only after they are complete. */
export async function fileOfContent(tx: Tx, contentId: string): Promise<FileRow | undefined> {
  return tx.get(
    `SELECT ${fileColumns} FROM files f WHERE f.content_id = ? AND ${isVisible} LIMIT 1`,
    contentId,
  );
}

/** The file of a key, in a space of a bot. */
export async function fileOfKey(
  tx: Tx,
  botId: string,
  space: string,
  key: string,
): Promise<FileRow | undefined> {
  return tx.get(
    `SELECT ${fileColumns} FROM files f WHERE f.bot_id = ? AND f.space = ? AND f.key = ?`,
    botId,
    space,
    key,
  );
}

/** Prevents that a file is deleted before the end of the transaction. Returns false when it was deleted. */
export async function holdFile(tx: WriteTx, id: string): Promise<boolean> {
  return (await tx.run('UPDATE files SET id = id WHERE id = ?', id)) > 0;
}

export async function insertFile(tx: WriteTx, row: FileRow): Promise<void> {
  await insert(tx, files, row);
}

/** Announces a file again: its id does not change; its bytes and passages are deleted. The caller sets its tags. */
export async function replaceFile(tx: WriteTx, row: FileRow): Promise<void> {
  await enqueueFileData(tx, row.id);
  const { id, ...changes } = row;
  const unindexed = { indexVersion: null, pendingVersion: null, indexAttempts: 0, indexedBytes: 0 };
  await update(tx, files, { id }, { ...changes, ...unindexed });
}

/** The fields of a file that its owner can change without new bytes. */
export async function updateFile(
  tx: WriteTx,
  id: string,
  changes: Pick<FileRow, 'tags' | 'metadata' | 'isPublic' | 'forIntegrations' | 'expiresAt' | 'updatedAt'>,
): Promise<void> {
  const { tags, metadata, isPublic, forIntegrations, expiresAt, updatedAt } = changes;
  await update(tx, files, { id }, { tags, metadata, isPublic, forIntegrations, expiresAt, updatedAt });
}

/** Replaces the tags of a file. */
export async function setTags(
  tx: WriteTx,
  file: Pick<FileRow, 'id' | 'botId'>,
  tags: Record<string, string>,
): Promise<void> {
  await tx.run('DELETE FROM file_tags WHERE file_id = ?', file.id);
  for (const [name, value] of Object.entries(tags)) {
    await tx.run(
      'INSERT INTO file_tags (file_id, bot_id, name, value) VALUES (?, ?, ?, ?)',
      file.id,
      file.botId,
      name,
      value,
    );
  }
}

/**
 * Marks an upload as complete, with the type of its bytes and the declared one, and queues it for indexing if requested.
 * Returns false when these bytes are no longer expected.
 */
export async function completeFile(
  tx: WriteTx,
  contentId: string,
  contentType: string,
  now: number,
  declaredType: string,
): Promise<boolean> {
  const changes = await tx.run(
    `UPDATE files SET status = CASE is_indexed WHEN 1 THEN 'indexing_pending' ELSE 'upload_completed' END,
       content_type = ?, declared_type = ?, updated_at = ?
     WHERE content_id = ? AND status = 'upload_pending'`,
    contentType,
    declaredType,
    now,
    contentId,
  );
  return changes > 0;
}

/** Marks a file that the server has written as complete. Returns false when these bytes are no longer expected. */
export async function completeWrittenFile(
  tx: WriteTx,
  file: Pick<FileRow, 'id' | 'contentId' | 'size' | 'updatedAt'>,
): Promise<boolean> {
  const changes = await tx.run(
    `UPDATE files SET status = 'upload_completed', size = ?, updated_at = ?
     WHERE id = ? AND content_id = ? AND status = 'upload_pending'`,
    file.size,
    file.updatedAt,
    file.id,
    file.contentId,
  );
  return changes > 0;
}

/** SQL condition: the files `f` whose bytes are complete. */
export const completeSql = `f.status IN (${completeStatuses})`;

export interface StoredContent {
  id: string;
  /** The size of complete bytes; null while they are uploaded, and for bytes whose size is not stored. */
  size: number | null;
  /** False while the bytes are uploaded. */
  isComplete: boolean;
  /** The object with all bytes, if they are in an object store. */
  stored: StoredObject | undefined;
}

export interface StoredObject {
  /** Its name; null of an empty file. */
  object: string | null;
  size: number;
}

/** All bytes that files and configurations refer to, each once. */
export async function storedContents(tx: Tx): Promise<StoredContent[]> {
  const rows = await tx.all<{ id: string; size: number | null; complete: number }>(
    `SELECT content_id AS id, MAX(CASE WHEN ${completeSql} THEN size END) AS size,
       MAX(CASE WHEN ${completeSql} THEN 1 ELSE 0 END) AS complete
     FROM files f WHERE content_id <> '' GROUP BY content_id
     UNION ALL SELECT content_id, NULL, 1 FROM configuration_files WHERE used_by IS NOT NULL`,
  );
  const stored = await tx.all<StoredObject & { id: string }>(
    'SELECT content_id AS id, object, size FROM uploads WHERE is_whole = 1',
  );
  const inStore = new Map(stored.map(({ id, object, size }) => [id, { object, size }]));
  return rows.map(({ id, size, complete }) => ({
    id,
    size,
    isComplete: complete === 1,
    stored: inStore.get(id),
  }));
}
