// SQL of the bytes in an object store: where the bytes of a content id are, and how far its upload is. Every change names
// the fence token of its writer, so a writer that another one has superseded changes nothing.
import type { Tx, WriteTx } from '../database.ts';
import { isContentUsed } from './deletions.ts';

/** An uploaded part: its number, the ETag that the store returned, and its bytes. */
export type UploadPart = [number: number, etag: string, size: number];

/** An object with bytes that are not a part yet: its name, and its bytes. */
export type UploadPiece = [name: string, size: number];

/** An object or a multipart upload that has to be removed from the store. */
export type UploadGarbage = [name: string] | [name: string, uploadId: string];

export interface UploadRow {
  contentId: string;
  /** The fence token of the latest writer. */
  fence: string;
  /** The object with all bytes, also while its parts are uploaded; null before, and of an empty file. */
  object: string | null;
  /** The multipart upload of this object; null if there is none, or it is complete. */
  uploadId: string | null;
  /** The next number of a part. Each is used once. */
  nextPart: number;
  parts: UploadPart[];
  /** The bytes after the parts, in this order. */
  pieces: UploadPiece[];
  /** Objects that are not needed any more, and objects that are being written. */
  garbage: UploadGarbage[];
  /** The bytes that were acknowledged. */
  size: number;
  isWhole: boolean;
}

interface StoredRow extends Omit<UploadRow, 'parts' | 'pieces' | 'garbage' | 'isWhole'> {
  parts: string;
  pieces: string;
  garbage: string;
  isWhole: 0 | 1;
}

const columns = `content_id, fence, object, upload_id, next_part, parts, pieces,
  garbage, size, is_whole`;

const readRow = (row: StoredRow): UploadRow => ({
  ...row,
  parts: JSON.parse(row.parts),
  pieces: JSON.parse(row.pieces),
  garbage: JSON.parse(row.garbage),
  isWhole: row.isWhole === 1,
});

export async function findUpload(tx: Tx, contentId: string): Promise<UploadRow | undefined> {
  const row = await tx.get<StoredRow>(`SELECT ${columns} FROM uploads WHERE content_id = ?`, contentId);
  return row && readRow(row);
}

/** Sets the fence token of an upload, so that its earlier writers change nothing any more. */
export async function fenceUpload(
  tx: WriteTx,
  contentId: string,
  fence: string,
): Promise<UploadRow | undefined> {
  const row = await tx.get<StoredRow>(
    `UPDATE uploads SET fence = ? WHERE content_id = ? RETURNING ${columns}`,
    fence,
    contentId,
  );
  return row && readRow(row);
}

/**
 * Stores an upload. Returns false when another writer has superseded this one, or when the bytes of a new one are not
 * expected any more.
 */
export async function saveUpload(tx: WriteTx, row: UploadRow): Promise<boolean> {
  const values = [
    row.object,
    row.uploadId,
    row.nextPart,
    JSON.stringify(row.parts),
    JSON.stringify(row.pieces),
    JSON.stringify(row.garbage),
    row.size,
    row.isWhole ? 1 : 0,
  ];
  const changes = await tx.run(
    `UPDATE uploads SET object = ?, upload_id = ?, next_part = ?, parts = ?, pieces = ?, garbage = ?, size = ?,
       is_whole = ? WHERE content_id = ? AND fence = ?`,
    ...values,
    row.contentId,
    row.fence,
  );
  if (changes > 0) return true;
  // In the same transaction, so that no row appears after the deletion of its file.
  if (!(await isContentUsed(tx, row.contentId))) return false;
  const inserted = await tx.run(
    `INSERT INTO uploads (object, upload_id, next_part, parts, pieces, garbage, size, is_whole, content_id, fence)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (content_id) DO NOTHING`,
    ...values,
    row.contentId,
    row.fence,
  );
  return inserted > 0;
}

/**
 * Returns whether a writer still has the upload, and all bytes are stored. No other writer gets it before the end of the
 * transaction.
 */
export async function confirmUpload(
  tx: WriteTx,
  { contentId, fence }: Pick<UploadRow, 'contentId' | 'fence'>,
): Promise<boolean> {
  const changes = await tx.run(
    'UPDATE uploads SET fence = fence WHERE content_id = ? AND fence = ? AND is_whole = 1',
    contentId,
    fence,
  );
  return changes > 0;
}

/** Forgets an upload whose objects are removed. */
export async function deleteUpload(
  tx: WriteTx,
  { contentId, fence }: Pick<UploadRow, 'contentId' | 'fence'>,
): Promise<void> {
  await tx.run('DELETE FROM uploads WHERE content_id = ? AND fence = ?', contentId, fence);
}

/** The uploads after a content id, in the order of ids. */
export async function listUploads(tx: Tx, after: string, limit: number): Promise<UploadRow[]> {
  const rows = await tx.all<StoredRow>(
    `SELECT ${columns} FROM uploads WHERE content_id > ? ORDER BY content_id LIMIT ?`,
    after,
    limit,
  );
  return rows.map(readRow);
}

/** True when the bytes of any file are in an object store. */
export async function hasUploads(tx: Tx): Promise<boolean> {
  return (await tx.get('SELECT 1 FROM uploads LIMIT 1')) !== undefined;
}

/** Returns the id of this server's files in an object store; `newId` the first time. */
export async function ensureStoreId(tx: WriteTx, newId: string): Promise<string> {
  await tx.run(
    'INSERT INTO file_store (number, id, searched_at) VALUES (1, ?, 0) ON CONFLICT (number) DO NOTHING',
    newId,
  );
  return (await findStoreId(tx)) ?? newId;
}

/** The id of this server's files in an object store, if it has one. */
export async function findStoreId(tx: Tx): Promise<string | undefined> {
  return (await tx.get<{ id: string }>('SELECT id FROM file_store WHERE number = 1'))?.id;
}

/** Returns true for one caller in each interval: the search for orphaned objects reads the list of all objects. */
export async function claimOrphanSearch(tx: WriteTx, now: number, interval: number): Promise<boolean> {
  const changes = await tx.run(
    'UPDATE file_store SET searched_at = ? WHERE number = 1 AND searched_at <= ?',
    now,
    now - interval,
  );
  return changes > 0;
}

/** Lets the next caller search, because a search did not end. */
export async function releaseOrphanSearch(tx: WriteTx): Promise<void> {
  await tx.run('UPDATE file_store SET searched_at = 0 WHERE number = 1');
}
