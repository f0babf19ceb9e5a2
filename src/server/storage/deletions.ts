// SQL of the deletion queue: deleted data that is inaccessible, and whose rows and bytes are not removed yet.
import { setTimeout as wait } from 'node:timers/promises';
import type { Database, Tx, WriteTx } from './database.ts';
import { inList } from './dialect.ts';
import { jsonRows } from './json-rows.ts';

/**
 * The kinds of queued ids. `user` and `bot`: all of their data; `conversation`: its rows; `table_rows`: rows under
 * a store id; `file_content`: bytes in the folder of files; `index_version`: passages; `search_index`: the full-text
 * index, from which the tokens of removed passages have to be removed.
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
  /** Further data for the removal: JSON, or null. */
  data: string | null;
}

/** Queues a removal. An entry that is already queued gets the new `data`. */
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

/** Queues removals of one kind without further data. */
export async function enqueueDeletions(
  tx: WriteTx,
  kind: DeletionKind,
  ids: readonly string[],
): Promise<void> {
  const rows = jsonRows(tx);
  await tx.run(
    `INSERT INTO deletions (kind, id, data) SELECT ?, ${rows.text(0)}, NULL FROM ${rows.from} WHERE true
     ON CONFLICT (kind, id) DO UPDATE SET data = excluded.data`,
    kind,
    JSON.stringify(ids.map((id) => [id])),
  );
}

/** Queues removals of one kind with their data. */
export async function enqueueDeletionsWithData(
  tx: WriteTx,
  kind: DeletionKind,
  entries: readonly { id: string; data: unknown }[],
): Promise<void> {
  const rows = jsonRows(tx);
  await tx.run(
    `INSERT INTO deletions (kind, id, data) SELECT ?, ${rows.text(0)}, ${rows.text(1)} FROM ${rows.from} WHERE true
     ON CONFLICT (kind, id) DO UPDATE SET data = excluded.data`,
    kind,
    JSON.stringify(entries.map(({ id, data }) => [id, JSON.stringify(data)])),
  );
}

/** An entry of this kind; undefined when there is none. */
export async function nextDeletion(tx: Tx, kind: DeletionKind): Promise<Deletion | undefined> {
  return tx.get('SELECT kind, id, data FROM deletions WHERE kind = ? ORDER BY id LIMIT 1', kind);
}

/** Whether there is any entry. */
export async function hasDeletions(tx: Tx): Promise<boolean> {
  return (await tx.get("SELECT 1 FROM deletions WHERE kind > '' LIMIT 1")) !== undefined;
}

/** Up to `limit` entries of this kind, in the order of `nextDeletion`. */
export async function nextDeletions(tx: Tx, kind: DeletionKind, limit: number): Promise<Deletion[]> {
  return tx.all('SELECT kind, id, data FROM deletions WHERE kind = ? ORDER BY id LIMIT ?', kind, limit);
}

/** An entry as it is now; undefined when it was finished. */
export async function findDeletion(
  tx: Tx,
  { kind, id }: Pick<Deletion, 'kind' | 'id'>,
): Promise<Deletion | undefined> {
  return tx.get('SELECT kind, id, data FROM deletions WHERE kind = ? AND id = ?', kind, id);
}

export async function isQueuedForDeletion(tx: Tx, kind: DeletionKind, id: string): Promise<boolean> {
  return (await tx.get('SELECT 1 FROM deletions WHERE kind = ? AND id = ?', kind, id)) !== undefined;
}

/** Removes an entry from the queue when all of its data is removed. */
export async function finishDeletion(
  tx: WriteTx,
  { kind, id }: Pick<Deletion, 'kind' | 'id'>,
): Promise<void> {
  await tx.run('DELETE FROM deletions WHERE kind = ? AND id = ?', kind, id);
}

/** Removes entries of one kind from the queue. */
export async function finishDeletions(
  tx: WriteTx,
  kind: DeletionKind,
  ids: readonly string[],
): Promise<void> {
  const condition = inList(tx, 'id', ids);
  await tx.run(`DELETE FROM deletions WHERE kind = ? AND ${condition.sql}`, kind, ...condition.values);
}

/** SQL condition: the user or conversation in this column was deleted and its data is not completely removed. */
export const isBeingDeleted = (column: string, kind: 'user' | 'conversation' = 'user'): string =>
  `${column} IN (SELECT id FROM deletions WHERE kind = '${kind}')`;

/** Milliseconds between two looks. */
const pollIntervalMs = 10;

/**
 * Resolves when all writes have ended that were running at the call, at any process. Later ones see what was committed
 * before the call. `isClosed`: ends the wait. SQLite runs one write after the other, so that there are none.
 */
export async function runningWritesEnded(db: Database, isClosed: () => boolean): Promise<void> {
  if (!db.isShared) return;
  // The id of a transaction is assigned at its beginning (postgres/transaction.ts), so those that are running have lower ones
  // than this. The end of a snapshot would not do: it is the id of the oldest of them when none that is newer has ended.
  const last = await db.write((tx) =>
    tx.get<{ id: string }>('SELECT CAST(pg_current_xact_id() AS TEXT) AS id'),
  );
  const id = last?.id ?? '';
  const hasEnded = () =>
    db.read((tx) => tx.get('SELECT 1 WHERE pg_snapshot_xmin(pg_current_snapshot()) > CAST(? AS xid8)', id));
  while (!isClosed() && !(await hasEnded())) await wait(pollIntervalMs);
}
