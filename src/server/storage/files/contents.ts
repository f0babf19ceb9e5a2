// SQL of the bytes of files that a database refers to, for backups and moves.
import type { Tx } from '../database.ts';
import { completeSql } from './files.ts';

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
