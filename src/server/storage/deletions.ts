// SQL of the deletion queue: what was deleted and is inaccessible, while its rows and bytes are still to be removed.
import type { Tx, WriteTx } from './database.ts';

/**
 * What a queued id names. `user` and `bot`: everything that was theirs; `conversation`: its rows; `table_rows`: rows under
 * a store id; `file_content`: bytes in the folder of files; `index_version`: passages; `search_index`: the files of the
 * full-text index, from which the tokens of removed passages are to be removed.
 */
export type DeletionKind =
  | 'user'
  | 'bot'
  | 'conversation'
  | 'table_rows'
  | 'file_content'
  | 'index_version'
  | 'search_index';

export interface Deletion {
  kind: DeletionKind;
  id: string;
  /** What the removal needs to know beyond the id: JSON, or null. */
  data: string | null;
}

/** Queues a removal. An entry that is queued already gets the new `data`. */
export async function enqueueDeletion(
  tx: WriteTx,
  kind: DeletionKind,
  id: string,
  data: unknown = null,
): Promise<void> {
  await tx.run(
    `INSERT INTO deletions (kind, id, data) VALUES (?, ?, ?)
     ON CONFLICT (kind, id) DO UPDATE SET data = excluded.data`,
    kind,
    id,
    data === null ? null : JSON.stringify(data),
  );
}

/** An entry of this kind; undefined when there is none. */
export async function nextDeletion(tx: Tx, kind: DeletionKind): Promise<Deletion | undefined> {
  return tx.get('SELECT kind, id, data FROM deletions WHERE kind = ? ORDER BY id LIMIT 1', kind);
}

export async function isQueuedForDeletion(tx: Tx, kind: DeletionKind, id: string): Promise<boolean> {
  return (await tx.get('SELECT 1 FROM deletions WHERE kind = ? AND id = ?', kind, id)) !== undefined;
}

/** Takes an entry out of the queue: nothing is left to remove. */
export async function finishDeletion(
  tx: WriteTx,
  { kind, id }: Pick<Deletion, 'kind' | 'id'>,
): Promise<void> {
  await tx.run('DELETE FROM deletions WHERE kind = ? AND id = ?', kind, id);
}

/** SQL: true where the user in this column was deleted and their data is still to be removed. */
export const isBeingDeleted = (column: string): string =>
  `${column} IN (SELECT id FROM deletions WHERE kind = 'user')`;
