// SQL of embeddings: the vectors of passages, stored in blocks of consecutive passages of an index version, and the
// models that computed them. Vectors of different models cannot be compared.
import type { Tx, WriteTx } from '../database.ts';
import { forDialect, inList, rowLock } from '../dialect.ts';
import { type FileFilter, fileCondition } from './file-lists.ts';

export interface EmbeddingModelRow {
  id: number;
  /** Identifies the model and the way in which its input is prepared. */
  name: string;
  /** The length of its vectors. */
  dimensions: number;
  /** When every published index version had its vectors for the first time; null before. */
  completedAt: number | null;
}

/** The vectors of consecutive passages. */
export interface EmbeddingBlock {
  indexVersion: string;
  /** The position of the first passage. */
  position: number;
  count: number;
  vectors: Uint8Array;
}

/** The number of blocks that a scan reads at a time: 8 MB for vectors of 512 bytes; and of index versions. */
const scannedBlocks = 250;
const scannedVersions = 500;

/** The primary key of a block. */
const key = 'index_version, model_id, position';
const modelColumns = 'id, name, dimensions, completed_at';

export async function listEmbeddingModels(tx: Tx): Promise<EmbeddingModelRow[]> {
  return tx.all(`SELECT ${modelColumns} FROM embedding_models ORDER BY id`);
}

/** Returns the model with this name, and inserts it if it is missing. */
export async function ensureEmbeddingModel(
  tx: WriteTx,
  name: string,
  dimensions: number,
): Promise<EmbeddingModelRow> {
  await tx.run(
    'INSERT INTO embedding_models (name, dimensions) VALUES (?, ?) ON CONFLICT (name) DO NOTHING',
    name,
    dimensions,
  );
  const row = await tx.get<EmbeddingModelRow>(
    `SELECT ${modelColumns} FROM embedding_models WHERE name = ?`,
    name,
  );
  if (!row) throw new Error(`The model ${name} was not stored.`);
  return row;
}

/** Stores that every published index version has vectors of this model. */
export async function completeEmbeddingModel(tx: WriteTx, id: number, now: number): Promise<void> {
  await tx.run('UPDATE embedding_models SET completed_at = ? WHERE id = ? AND completed_at IS NULL', now, id);
}

/** Deletes up to `limit` blocks of a model, and then the model. Returns the number of deleted blocks. */
export async function deleteEmbeddingModel(tx: WriteTx, id: number, limit: number): Promise<number> {
  const deleted = await tx.run(
    `DELETE FROM embeddings WHERE (${key}) IN (SELECT ${key} FROM embeddings WHERE model_id = ? LIMIT ?)`,
    id,
    limit,
  );
  if (deleted < limit) await tx.run('DELETE FROM embedding_models WHERE id = ?', id);
  return deleted;
}

/** Returns how far the vectors of an index version reach: the next position, and whether no passage follows. */
export async function embeddedUpTo(
  tx: Tx,
  indexVersion: string,
  modelId: number,
): Promise<{ position: number; isComplete: boolean }> {
  const last = await tx.get<{ next: number; isLast: 0 | 1 }>(
    `SELECT position + count AS next, is_last FROM embeddings
     WHERE index_version = ? AND model_id = ? ORDER BY position DESC LIMIT 1`,
    indexVersion,
    modelId,
  );
  return { position: last?.next ?? 0, isComplete: last?.isLast === 1 };
}

/** Stores a block, unless it is already stored. */
export async function insertEmbeddings(
  tx: WriteTx,
  modelId: number,
  block: EmbeddingBlock & { isLast: boolean },
): Promise<void> {
  await tx.run(
    `INSERT INTO embeddings (index_version, model_id, position, count, is_last, vectors)
     VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    block.indexVersion,
    modelId,
    block.position,
    block.count,
    block.isLast ? 1 : 0,
    block.vectors,
  );
}

/** True while the passages of a version are published, or are being indexed for the file `fileId`. */
export async function isVersionUsed(tx: Tx, indexVersion: string, fileId?: string): Promise<boolean> {
  return findVersion(tx, indexVersion, fileId, '');
}

/** Does the same, and keeps its file until the end of the transaction. */
export async function holdUsedVersion(tx: WriteTx, indexVersion: string, fileId?: string): Promise<boolean> {
  return findVersion(tx, indexVersion, fileId, rowLock(tx, 'FOR SHARE'));
}

async function findVersion(
  tx: Tx,
  indexVersion: string,
  fileId: string | undefined,
  lock: string,
): Promise<boolean> {
  const published = await tx.get(`SELECT 1 FROM files WHERE index_version = ? ${lock}`, indexVersion);
  if (published !== undefined || fileId === undefined) return published !== undefined;
  const awaited = await tx.get(
    `SELECT 1 FROM files WHERE id = ? AND pending_version = ? ${lock}`,
    fileId,
    indexVersion,
  );
  return awaited !== undefined;
}

/** Published index versions after `after` without all vectors of a model, in the order of their ids. */
export async function versionsWithoutEmbeddings(
  tx: Tx,
  modelId: number,
  after: string,
  limit: number,
): Promise<{ botId: string; indexVersion: string }[]> {
  return tx.all(
    `SELECT f.bot_id, f.index_version FROM files f WHERE f.index_version > ?
       AND NOT EXISTS (SELECT 1 FROM embeddings e
         WHERE e.index_version = f.index_version AND e.model_id = ? AND e.is_last = 1)
     ORDER BY f.index_version LIMIT ?`,
    after,
    modelId,
    limit,
  );
}

/** Calls `visit` with the blocks of a model for all passages of matching files. */
export async function scanEmbeddings(
  tx: Tx,
  modelId: number,
  filter: FileFilter,
  visit: (block: EmbeddingBlock) => void,
): Promise<void> {
  const { sql, values } = fileCondition(tx, filter);
  // Once, because the condition reads every file of the bot.
  const versions = await tx.all<{ indexVersion: string }>(
    `SELECT f.index_version FROM files f WHERE f.index_version IS NOT NULL AND ${sql}`,
    ...values,
  );
  for (let start = 0; start < versions.length; start += scannedVersions) {
    const some = versions.slice(start, start + scannedVersions).map(({ indexVersion }) => indexVersion);
    await scanVersions(tx, modelId, some, visit);
  }
}

async function scanVersions(
  tx: Tx,
  modelId: number,
  versions: readonly string[],
  visit: (block: EmbeddingBlock) => void,
): Promise<void> {
  const isOfVersion = inList(tx, 'index_version', versions);
  let last: Pick<EmbeddingBlock, 'indexVersion' | 'position'> = { indexVersion: '', position: -1 };
  for (;;) {
    const blocks = await tx.all<EmbeddingBlock>(
      `SELECT index_version, position, count, vectors FROM embeddings
       WHERE ${isOfVersion.sql} AND model_id = ?
         AND (index_version, position) > (?, ?) ORDER BY index_version, position LIMIT ?`,
      ...isOfVersion.values,
      modelId,
      last.indexVersion,
      last.position,
      scannedBlocks,
    );
    for (const block of blocks) visit(block);
    if (blocks.length < scannedBlocks) return;
    last = blocks.at(-1) ?? last;
  }
}

/** Deletes up to `limit` blocks of an index version and returns their number. */
export async function deleteEmbeddings(tx: WriteTx, indexVersion: string, limit: number): Promise<number> {
  return tx.run(
    `DELETE FROM embeddings WHERE (${key}) IN (SELECT ${key} FROM embeddings WHERE index_version = ? LIMIT ?)`,
    indexVersion,
    limit,
  );
}

/** The numbers of passages at these positions of index versions, in the same order; undefined for a missing one. */
export async function passagesAt(
  tx: Tx,
  places: readonly { indexVersion: string; position: number }[],
): Promise<(number | undefined)[]> {
  const rows = await tx.all<{ place: number; seq: number }>(
    forDialect(tx, {
      sqlite: `SELECT j.key AS place, p.seq FROM json_each(?) j CROSS JOIN passages p
         ON p.index_version = j.value ->> 0 AND p.position = j.value ->> 1`,
      postgres: `SELECT j.place - 1 AS place, p.seq FROM jsonb_array_elements(?::jsonb) WITH ORDINALITY AS j (value, place)
         JOIN passages p ON p.index_version = j.value ->> 0 AND p.position = (j.value ->> 1)::bigint`,
    }),
    JSON.stringify(places.map(({ indexVersion, position }) => [indexVersion, position])),
  );
  const seqs = new Map(rows.map(({ place, seq }) => [place, seq]));
  return places.map((_, place) => seqs.get(place));
}
