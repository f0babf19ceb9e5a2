// Removes the bytes and passages of deleted files on behalf of the deletion queue.
import type { Database, WriteTx } from '../storage/database.ts';
import { type Deletion, enqueueDeletion } from '../storage/deletions.ts';
import { isContentKnown, isContentUsed } from '../storage/files/deletions.ts';
import { deleteEmbeddings } from '../storage/files/embeddings.ts';
import { deletePassage, passageNumbers } from '../storage/files/passages.ts';
import type { FileStore } from './bytes/store.ts';
import type { PassageIndex } from './full-text.ts';

/** Removes bytes from the store, unless a copy of the file still has them. */
export async function removeContent(db: Database, store: FileStore, contentId: string): Promise<void> {
  if (await db.read((tx) => isContentUsed(tx, contentId))) return;
  await store.hold(contentId, (writer) => writer.remove());
}

/** Removes up to `limit` passages and blocks of vectors of an index version, and returns their number. */
export async function removePassages(
  tx: WriteTx,
  version: string,
  limit: number,
  index: PassageIndex,
): Promise<number> {
  const blocks = await deleteEmbeddings(tx, version, limit);
  const seqs = await passageNumbers(tx, version, limit - blocks);
  for (const seq of seqs) {
    await index.remove(tx, seq);
    await deletePassage(tx, seq);
  }
  if (seqs.length > 0) await enqueueDeletion(tx, 'search_index', 'passages', 'requested');
  return blocks + seqs.length;
}

/**
 * Runs one step of removing the tokens of removed texts from a full-text index of the database. Returns 0 when all are
 * removed.
 */
export async function compactSearchIndex(
  tx: WriteTx,
  { id, data }: Deletion,
  index: Pick<PassageIndex, 'compact'>,
): Promise<number> {
  const isFirst = data === null || JSON.parse(data) === 'requested';
  if (await index.compact(tx, isFirst)) return 0;
  await enqueueDeletion(tx, 'search_index', id, 'started');
  return 1;
}

/** Removes bytes that no row references (store.ts). */
export async function removeOrphanedContents(
  db: Database,
  store: FileStore,
  isClosed: () => boolean,
): Promise<void> {
  await store.removeOrphans((id) => db.read((tx) => isContentKnown(tx, id)), isClosed);
}
