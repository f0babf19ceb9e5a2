// SQL of indexing: the queue of files that wait for it, and the index versions of a file. Passages belong to a version; it
// is searched once the file names it.
import type { Tx, WriteTx } from '../database.ts';
import { enqueueDeletion } from '../deletions.ts';

/** A file that waits to be indexed. */
export interface WaitingFile {
  id: string;
  contentId: string;
  contentType: string;
  size: number;
  botId: string;
  /** How often its indexing was begun and not ended. */
  attempts: number;
}

/** The file to index next: the oldest of the first bot after `afterBotId`, and after the last bot of the first one. */
export async function nextFileToIndex(
  tx: Tx,
  afterBotId: string,
  excluded: readonly string[] = [],
): Promise<WaitingFile | undefined> {
  const first = (condition: string) =>
    tx.get<WaitingFile>(
      `SELECT id, content_id AS "contentId", content_type AS "contentType", size, bot_id AS "botId",
         index_attempts AS "attempts" FROM files WHERE status = 'indexing_pending' AND ${condition}
         AND id NOT IN (SELECT value FROM json_each(?)) ORDER BY bot_id, announced_at LIMIT 1`,
      afterBotId,
      JSON.stringify(excluded),
    );
  return (await first('bot_id > ?')) ?? (await first('bot_id <= ?'));
}

/** Begins a new version of a file's index; an unfinished one is given up. False: the file does not wait any more. */
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

/** True while a file still waits for this version. */
export async function isVersionAwaited(tx: Tx, fileId: string, version: string): Promise<boolean> {
  const found = await tx.get(
    "SELECT 1 FROM files WHERE id = ? AND pending_version = ? AND status = 'indexing_pending'",
    fileId,
    version,
  );
  return found !== undefined;
}

/** Makes a version the one that is searched; `bytes`: of its passages. False: the file does not wait for it any more. */
export async function publishIndex(
  tx: WriteTx,
  fileId: string,
  version: string,
  bytes: number,
  now: number,
): Promise<boolean> {
  const { current, pending } = await versionsOf(tx, fileId);
  if (current && pending === version) await enqueueDeletion(tx, 'index_version', current);
  const changes = await tx.run(
    `UPDATE files SET index_version = pending_version, pending_version = NULL, index_attempts = 0, indexed_bytes = ?,
       status = 'indexing_completed', failed_reason = NULL, updated_at = ?
     WHERE id = ? AND pending_version = ? AND status = 'indexing_pending'`,
    bytes,
    now,
    fileId,
    version,
  );
  return changes > 0;
}

/** Stores why a file cannot be indexed, and gives its pending version up. */
export async function failIndexing(
  tx: WriteTx,
  fileId: string,
  version: string,
  reason: string,
  now: number,
): Promise<void> {
  const changes = await tx.run(
    `UPDATE files SET status = 'indexing_failed', failed_reason = ?, pending_version = NULL, index_attempts = 0,
       updated_at = ? WHERE id = ? AND pending_version = ? AND status = 'indexing_pending'`,
    reason,
    now,
    fileId,
    version,
  );
  if (changes > 0) await enqueueDeletion(tx, 'index_version', version);
}

/** Does not count an attempt that was interrupted: the next start begins again, as often as this happens. */
export async function suspendIndexing(tx: WriteTx, fileId: string, version: string): Promise<void> {
  await tx.run(
    `UPDATE files SET index_attempts = index_attempts - 1
     WHERE id = ? AND pending_version = ? AND status = 'indexing_pending'`,
    fileId,
    version,
  );
}

/** Makes a version that the owner of a file has written the one that is searched. */
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
       status = 'indexing_completed', failed_reason = NULL, updated_at = ? WHERE id = ?`,
    version,
    bytes,
    now,
    fileId,
  );
}

/** The versions of a file's index: the one that is searched, and the one that is being made. */
async function versionsOf(
  tx: Tx,
  fileId: string,
): Promise<Partial<Record<'current' | 'pending', string | null>>> {
  const row = await tx.get<Record<'current' | 'pending', string | null>>(
    'SELECT index_version AS "current", pending_version AS "pending" FROM files WHERE id = ?',
    fileId,
  );
  return row ?? {};
}
