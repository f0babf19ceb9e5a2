// Computes and stores the vectors of one block of passages.
import type { Database } from '../../storage/database.ts';
import {
  embeddedUpTo,
  ensureEmbeddingModel,
  holdUsedVersion,
  insertEmbeddings,
  isVersionUsed,
  listEmbeddingModels,
} from '../../storage/files/embeddings.ts';
import { listPassages } from '../../storage/files/passages.ts';
import { searchedText } from '../indexing/passages.ts';
import { EmbeddingError, type EmbeddingModel } from './model.ts';
import type { EmbeddingThread } from './thread.ts';

/** The number of passages in a block. Blocks, not single vectors, because reading 100,000 rows takes a second. */
const blockSize = 64;
/** Milliseconds for the vectors of a block: 64 passages take 6 s with the embedded model on an idle processor. */
const timeLimitMs = 10 * 60 * 1000;

/**
 * Computes the next block of an index version. Returns true when more are missing, and false when none is, or when the
 * version was deleted. `fileId`: the file for which an unpublished version is being built. Throws EmbeddingError.
 */
export type EmbedBlock = (
  indexVersion: string,
  fileId: string | undefined,
  signal: AbortSignal,
) => Promise<boolean>;

export function createEmbedBlock({
  db,
  thread,
  model,
  name,
}: {
  db: Database;
  thread: EmbeddingThread;
  model: EmbeddingModel;
  name: string;
}): EmbedBlock {
  return async (indexVersion, fileId, signal) => {
    const next = await db.read(async (tx) => {
      if (!(await isVersionUsed(tx, indexVersion, fileId))) return undefined;
      const known = (await listEmbeddingModels(tx)).find((row) => row.name === name);
      const { position, isComplete } = await embeddedUpTo(tx, indexVersion, known?.id ?? 0);
      if (isComplete) return undefined;
      return { position, known, passages: await listPassages(tx, indexVersion, position, blockSize + 1) };
    });
    if (!next) return false;
    const passages = next.passages.slice(0, blockSize);
    const isLast = next.passages.length <= blockSize;
    // A version without passages gets one empty block, so that it counts as complete.
    const { vectors, dimensions } =
      passages.length === 0
        ? { vectors: new Uint8Array(), dimensions: next.known?.dimensions }
        : await thread.request(
            'embed',
            { model, texts: passages.map(searchedText) },
            { timeLimit: timeLimitMs, signal },
          );
    if (dimensions === undefined) return false;
    if (dimensions === 0) throw new EmbeddingError('The embedding model returned empty vectors.');
    signal.throwIfAborted();
    return db.write(async (tx) => {
      // A deletion at the same time removes this block, too.
      if (!(await holdUsedVersion(tx, indexVersion, fileId))) return false;
      const row = await ensureEmbeddingModel(tx, name, dimensions);
      if (row.dimensions !== dimensions) {
        throw new EmbeddingError(
          `The embedding model returned ${dimensions} numbers for a text instead of ${row.dimensions} as before.`,
        );
      }
      const count = passages.length;
      await insertEmbeddings(tx, row.id, { indexVersion, position: next.position, count, isLast, vectors });
      return !isLast;
    });
  };
}
