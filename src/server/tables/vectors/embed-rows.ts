// Computes and stores the vectors of some rows of one table that wait for theirs.
import { createHash } from 'node:crypto';
import { EmbeddingError, type SharedModel, splitBlock } from '../../files/index.ts';
import type { Database, Tx } from '../../storage/database.ts';
import { ensureEmbeddingModel, listEmbeddingModels } from '../../storage/files/embeddings.ts';
import {
  deleteRowVector,
  dequeueRow,
  findRowVector,
  findVectorStore,
  putRowVector,
  queuedRows,
} from '../../storage/tables/row-vectors.ts';
import { findRow } from '../../storage/tables/rows.ts';
import { tableOfId } from '../../storage/tables/tables.ts';
import { openTable, valuesOf } from '../open-table.ts';
import { searchableColumns, searchedText } from '../query/search.ts';

/** The number of rows in one request to the model. */
const rowsAtOnce = 64;
/** Milliseconds for their vectors: they take 6 s with the embedded model on an idle processor. */
const timeLimitMs = 10 * 60 * 1000;

/** Returns the searchable text of a row; undefined if it has none, or if the row or its table no longer exists. */
type TextOf = (rowId: number) => Promise<string | undefined>;

/** Computes the vectors of the next rows of a store. Throws EmbeddingError. */
export function createEmbedRows({
  db,
  thread,
  model,
  name,
}: Pick<SharedModel, 'thread' | 'model'> & { db: Database; name: string }) {
  return async (storeId: string, signal: AbortSignal): Promise<void> => {
    const { tableId, rows, missing } = await db.read(async (tx) => {
      const tableId = (await findVectorStore(tx, storeId))?.tableId;
      const rows = await queuedRows(tx, storeId, rowsAtOnce);
      const modelId = (await listEmbeddingModels(tx)).find((row) => row.name === name)?.id;
      const textOf = await openTexts(tx, storeId);
      const missing: { rowId: number; text: string; hash: number }[] = [];
      for (const rowId of rows) {
        const text = await textOf(rowId);
        if (text === undefined) continue;
        const hash = textHash(text);
        const stored = await findRowVector(tx, storeId, rowId);
        if (stored?.modelId !== modelId || stored?.textHash !== hash) missing.push({ rowId, text, hash });
      }
      return { tableId, rows, missing };
    });
    const texts = missing.map(({ text }) => text);
    const { vectors, dimensions } =
      texts.length === 0
        ? { vectors: new Uint8Array(), dimensions: 0 }
        : await thread.request('embed', { model, texts }, { timeLimit: timeLimitMs, signal });
    if (texts.length > 0 && dimensions === 0) {
      throw new EmbeddingError('The embedding model returned empty vectors.');
    }
    const blocks = splitBlock(vectors, texts.length, dimensions);
    const computed = new Map(
      missing.map(({ rowId, hash }, index) => [rowId, { hash, vector: blocks[index] as Uint8Array }]),
    );
    signal.throwIfAborted();
    await db.write(async (tx) => {
      // A row that is written meanwhile stays in the queue.
      if (tableId !== undefined) await tx.lock(`table:${tableId}`);
      const row = computed.size > 0 ? await ensureEmbeddingModel(tx, name, dimensions) : undefined;
      if (row && row.dimensions !== dimensions) {
        throw new EmbeddingError(
          `The embedding model returned ${dimensions} numbers for a text instead of ${row.dimensions} as before.`,
        );
      }
      const textOf = await openTexts(tx, storeId);
      for (const rowId of rows) {
        const text = await textOf(rowId);
        const result = computed.get(rowId);
        if (text === undefined) await deleteRowVector(tx, storeId, rowId);
        else if (result && row && result.hash === textHash(text)) {
          await putRowVector(tx, storeId, {
            rowId,
            modelId: row.id,
            textHash: result.hash,
            vector: result.vector,
          });
        } else {
          const stored = await findRowVector(tx, storeId, rowId);
          // Written again in the meantime: it stays in the queue.
          if (stored?.textHash !== textHash(text) || (row && stored.modelId !== row.id)) continue;
        }
        await dequeueRow(tx, storeId, rowId);
      }
    });
  };
}

/** Opens the table of a store as it is now. */
async function openTexts(tx: Tx, storeId: string): Promise<TextOf> {
  const store = await findVectorStore(tx, storeId);
  const record = store && store.phase !== 'remove' ? await tableOfId(tx, store.tableId) : undefined;
  if (record?.storeId !== storeId) return async () => undefined;
  const table = openTable(record);
  const columns = searchableColumns(table);
  return async (rowId) => {
    const row = await findRow(tx, storeId, rowId);
    const text = row ? searchedText(valuesOf(table, row), columns) : '';
    return text.trim() === '' ? undefined : text;
  };
}

/**
 * Returns 48 bits of the hash of a text: a number that JavaScript and SQLite store exactly. A vector whose text has another
 * hash counts for nothing.
 */
export const textHash = (text: string): number => createHash('sha256').update(text).digest().readUIntBE(0, 6);
