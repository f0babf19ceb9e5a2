// SQL of indexing: the queue of files to index, and the index versions of a file. Passages belong to a version, which
// is searched after it was published.
import type { Tx, WriteTx } from '../database.ts';
import { enqueueDeletion } from '../deletions.ts';
import { inList } from '../dialect.ts';

/** A file in the queue of indexing. */
export interface WaitingFile {
  id: string;
  contentId: string;
  contentType: string;
  /** The type that the owner has declared, with the charset if it has one. */
  declaredType: string;
  size: number;
  botId: string;
  /** The number of unfinished attempts at indexing. */
  attempts: number;
}

/** The next file to index: the oldest one of the first bot after `afterBotId`; the first bot follows the last one. */
export async function nextFileToIndex(
  tx: Tx,
  afterBotId: string,
  excluded: readonly string[] = [],
): Promise<WaitingFile | undefined> {
  const isExcluded = inList(tx, 'id', excluded);
  const first = (condition: string) =>
    tx.get<WaitingFile>(
      `SELECT id, content_id, content_type,
         declared_type, size, bot_id,
         index_attempts AS attempts FROM files WHERE status = 'indexing_pending' AND ${condition}
         AND NOT ${isExcluded.sql} ORDER BY bot_id, announced_at LIMIT 1`,
      afterBotId,
      ...isExcluded.values,
    );
  return (await first('bot_id > ?')) ?? (await first('bot_id <= ?'));
}

/**
 * Starts a new index version of a file and discards an unfinished one. Returns false when the file is no longer queued.
 */
export async function beginIndexing(tx: WriteTx, file: WaitingFile, version: string): Promise<boolean> {
  const { pending } = await versionsOf(tx, file.id);
  if (pending) await enqueueDeletion(tx, 'index_version', pending);
  const changes = await tx.run(
    `UPDATE files SET pending_version = ?, index_attempts = index_attempts + 1
     WHERE id = ? AND content_id = ? AND status = 'indexing_pending'`,
    version,
    file.id,
    file.contentId,
  );
  return changes > 0;
}

/** Returns whether a file is still queued for this version, and keeps it so until the end of the transaction. */
export async function holdVersion(tx: WriteTx, fileId: string, version: string): Promise<boolean> {
  const changes = await tx.run(
    "UPDATE files SET id = id WHERE id = ? AND pending_version = ? AND status = 'indexing_pending'",
    fileId,
    version,
  );
  return changes > 0;
}

/**
 * Publishes a version, so that it is searched; `bytes`: the size of its passages; `warnings`: what it lacks. Returns false
 * when the file is no longer queued for it.
 */
export async function publishIndex(
  tx: WriteTx,
  fileId: string,
  version: string,
  bytes: number,
  now: number,
  warnings: readonly string[] = [],
): Promise<boolean> {
  const { current, pending } = await versionsOf(tx, fileId);
  if (current && pending === version) await enqueueDeletion(tx, 'index_version', current);
  const changes = await tx.run(
    `UPDATE files SET index_version = pending_version, pending_version = NULL, index_attempts = 0, indexed_bytes = ?,
       status = 'indexing_completed', failed_reason = NULL, warnings = ?, updated_at = ?
     WHERE id = ? AND pending_version = ? AND status = 'indexing_pending'`,
    bytes,
    warnings.length > 0 ? JSON.stringify(warnings) : null,
    now,
    fileId,
    version,
  );
  return changes > 0;
}

/** Stores the reason why a file cannot be indexed, and discards its pending version. */
export async function failIndexing(
  tx: WriteTx,
  fileId: string,
  version: string,
  reason: string,
  now: number,
): Promise<void> {
  const changes = await tx.run(
    `UPDATE files SET status = 'indexing_failed', failed_reason = ?, warnings = NULL, pending_version = NULL, index_attempts = 0,
       updated_at = ? WHERE id = ? AND pending_version = ? AND status = 'indexing_pending'`,
    reason,
    now,
    fileId,
    version,
  );
  if (changes > 0) await enqueueDeletion(tx, 'index_version', version);
}

/** Reverts the count of an interrupted attempt, because an interruption is not a failure of the file. */
export async function suspendIndexing(tx: WriteTx, fileId: string, version: string): Promise<void> {
  await tx.run(
    `UPDATE files SET index_attempts = index_attempts - 1
     WHERE id = ? AND pending_version = ? AND status = 'indexing_pending'`,
    fileId,
    version,
  );
}

/** Publishes a version whose passages the owner of the file has written. */
export async function setIndexVersion(
  tx: WriteTx,
  fileId: string,
  version: string,
  bytes: number,
  now: number,
): Promise<void> {
  for (const former of Object.values(await versionsOf(tx, fileId))) {
    if (former) await enqueueDeletion(tx, 'index_version', former);
  }
  await tx.run(
    `UPDATE files SET index_version = ?, pending_version = NULL, indexed_bytes = ?, is_indexed = 1,
       status = 'indexing_completed', failed_reason = NULL, warnings = NULL, updated_at = ? WHERE id = ?`,
    version,
    bytes,
    now,
    fileId,
  );
}

/** Queues a complete file for indexing, or removes its index. Its bytes stay. */
export async function setIndexed(tx: WriteTx, fileId: string, isIndexed: boolean): Promise<void> {
  for (const former of Object.values(await versionsOf(tx, fileId))) {
    if (former) await enqueueDeletion(tx, 'index_version', former);
  }
  await tx.run(
    `UPDATE files SET is_indexed = ?, index_version = NULL, pending_version = NULL, indexed_bytes = 0, index_attempts = 0,
       failed_reason = NULL, warnings = NULL,
       status = CASE WHEN status IN ('upload_pending', 'upload_failed') THEN status ELSE ? END
     WHERE id = ?`,
    isIndexed ? 1 : 0,
    isIndexed ? 'indexing_pending' : 'upload_completed',
    fileId,
  );
}

/** The versions of a file's index: the published one and the pending one. */
async function versionsOf(
  tx: Tx,
  fileId: string,
): Promise<Partial<Record<'current' | 'pending', string | null>>> {
  const row = await tx.get<Record<'current' | 'pending', string | null>>(
    'SELECT index_version AS current, pending_version AS pending FROM files WHERE id = ?',
    fileId,
  );
  return row ?? {};
}
