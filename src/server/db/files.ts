// SQL of files: their records. The bytes lie on disk, where only files/store.ts looks.
import type { FileStatus } from '../../protocol/file.ts';
import type { Tx, WriteTx } from './database.ts';

/** Milliseconds that an upload may take before it is swept out: 24 hours. */
export const uploadLifetime = 24 * 60 * 60 * 1000;

export interface FileRow {
  id: string;
  /** The owner. */
  userId: string;
  key: string;
  /** Bytes, as declared; a complete file has exactly so many. */
  size: number;
  declaredType: string;
  contentType: string;
  status: FileStatus;
  createdAt: number;
  updatedAt: number;
}

const columns = `id, user_id AS "userId", key, size, declared_type AS "declaredType",
  content_type AS "contentType", status, created_at AS "createdAt", updated_at AS "updatedAt"`;

/** A file that is not deleted. */
export async function findFile(tx: Tx, id: string): Promise<FileRow | undefined> {
  return tx.get(`SELECT ${columns} FROM files WHERE id = ? AND status <> 'deleted'`, id);
}

/** True while there is a row of this id, deleted or not: then its bytes are no orphans. */
export async function fileKnown(tx: Tx, id: string): Promise<boolean> {
  return (await tx.get('SELECT 1 FROM files WHERE id = ?', id)) !== undefined;
}

export async function insertFile(tx: WriteTx, row: FileRow): Promise<void> {
  await tx.run(
    `INSERT INTO files (id, user_id, key, size, declared_type, content_type, status, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    row.id,
    row.userId,
    row.key,
    row.size,
    row.declaredType,
    row.contentType,
    row.status,
    row.createdAt,
    row.updatedAt,
  );
}

/** Marks an upload as complete, with the type its bytes have. Gives false when it is not pending any more. */
export async function completeFile(
  tx: WriteTx,
  id: string,
  contentType: string,
  now: number,
): Promise<boolean> {
  const changes = await tx.run(
    `UPDATE files SET status = 'upload_completed', content_type = ?, updated_at = ?
     WHERE id = ? AND status = 'upload_pending'`,
    contentType,
    now,
    id,
  );
  return changes > 0;
}

/** Takes a file out of sight; the sweeper removes its bytes and its row. */
export async function markFileDeleted(tx: WriteTx, id: string): Promise<void> {
  await tx.run("UPDATE files SET status = 'deleted' WHERE id = ?", id);
}

/** Takes all files of a user out of sight. */
export async function markFilesDeleted(tx: WriteTx, userId: string): Promise<void> {
  await tx.run("UPDATE files SET status = 'deleted' WHERE user_id = ?", userId);
}

/** Takes up to `limit` uploads that were never completed out of sight; gives how many. */
export async function expireUploads(tx: WriteTx, now: number, limit: number): Promise<number> {
  return tx.run(
    `UPDATE files SET status = 'deleted' WHERE id IN
       (SELECT id FROM files WHERE status = 'upload_pending' AND created_at <= ? LIMIT ?)`,
    now - uploadLifetime,
    limit,
  );
}

/** Ids of files whose bytes wait to be removed. */
export async function deletedFiles(tx: Tx, limit: number): Promise<string[]> {
  const rows = await tx.all<{ id: string }>("SELECT id FROM files WHERE status = 'deleted' LIMIT ?", limit);
  return rows.map((row) => row.id);
}

export async function deleteFile(tx: WriteTx, id: string): Promise<void> {
  await tx.run('DELETE FROM files WHERE id = ?', id);
}
