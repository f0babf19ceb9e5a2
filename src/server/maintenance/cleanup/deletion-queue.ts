// Processes the deletion queue: removes deleted data in bounded transactions, so that other writes can run in between.
// An entry leaves the queue together with the last of its rows, so a stop at any time loses nothing.
import { ApiError } from '../../api/errors.ts';
import { removeBotData } from '../../bots/index.ts';
import { removeUserData, type Transcript } from '../../chat/index.ts';
import {
  compactSearchIndex,
  type FileStore,
  type PassageIndex,
  removeContent,
  removePassages,
} from '../../files/index.ts';
import { deleteConversationRows } from '../../storage/chat/conversation-deletion.ts';
import type { Database, WriteTx } from '../../storage/database.ts';
import {
  type Deletion,
  type DeletionKind,
  findDeletion,
  finishDeletion,
  finishDeletions,
  nextDeletion,
  nextDeletions,
  runningWritesEnded,
} from '../../storage/deletions.ts';
import { compactTextIndex, removeTextsOf, textIndexId } from '../../storage/inbox/searched-texts.ts';
import { deleteStoredRows } from '../../storage/tables/rows.ts';

/** Rows that one transaction removes at most, the entries of the queue included. */
const rowsAtOnce = 1_000;
/** Conversations whose rows one transaction removes. */
const conversationsAtOnce = 200;

export interface DeletionQueueOptions {
  db: Database;
  store: FileStore;
  passages: PassageIndex;
  transcript: Transcript;
}

/** Removes up to `limit` items of an entry and returns their number; fewer than `limit` when nothing remains. */
type RemoveSome = (tx: WriteTx, deletion: Deletion, limit: number) => Promise<number>;

/** Processes the queue until it is empty or `isClosed` returns true. */
export async function workOffDeletions(
  { db, store, passages, transcript }: DeletionQueueOptions,
  isClosed: () => boolean,
): Promise<void> {
  /**
   * In this order, because users and bots queue conversations, files and rows. `limit`: the number of items in one
   * transaction.
   */
  const kinds: Record<
    Exclude<DeletionKind, 'file_content' | 'conversation'>,
    { limit: number; remove: RemoveSome }
  > = {
    user: { limit: 100, remove: (tx, deletion, limit) => removeUserData(tx, deletion, limit, transcript) },
    bot: { limit: 100, remove: (tx, { id }, limit) => removeBotData(tx, id, limit, transcript) },
    table_rows: { limit: 1_000, remove: (tx, { id }, limit) => deleteStoredRows(tx, id, limit) },
    // Removing one passage from the index takes half a millisecond.
    index_version: { limit: 25, remove: (tx, { id }, limit) => removePassages(tx, id, limit, passages) },
    search_index: {
      limit: 1,
      remove: (tx, deletion) => compactSearchIndex(tx, deletion, indexOf(deletion.id)),
    },
  };

  const indexOf = (id: string) => (id === textIndexId ? { compact: compactTextIndex } : passages);

  /** Processes entries of one kind in one transaction until the limit is reached. Returns false when there are none. */
  async function removeSome(kind: keyof typeof kinds): Promise<boolean> {
    const { limit, remove } = kinds[kind];
    const entries = await db.read((tx) => nextDeletions(tx, kind, limit));
    if (entries.length === 0) return false;
    // A write that began before the deletion may still add data, which nobody would remove after the entry.
    await runningWritesEnded(db, isClosed);
    await db.write((tx) => removeInOneTransaction(tx, entries, limit, remove));
    return true;
  }

  /** Removes the rows of several deleted conversations in one transaction. Returns false when there are none. */
  async function removeConversationRows(): Promise<boolean> {
    const entries = await db.read((tx) => nextDeletions(tx, 'conversation', conversationsAtOnce));
    if (entries.length === 0) return false;
    await runningWritesEnded(db, isClosed);
    const ids = entries.map(({ id }) => id);
    const limit = rowsAtOnce - ids.length;
    await db.write(async (tx) => {
      const remaining = limit - (await removeTextsOf(tx, ids, limit));
      if (remaining > 0 && (await deleteConversationRows(tx, ids, remaining)) < remaining)
        await finishDeletions(tx, 'conversation', ids);
    });
    return true;
  }

  async function removeInOneTransaction(
    tx: WriteTx,
    entries: readonly Deletion[],
    limit: number,
    remove: RemoveSome,
  ): Promise<void> {
    let done = 0;
    for (const entry of entries) {
      if (done >= limit) break;
      const deletion = await findDeletion(tx, entry);
      if (!deletion) continue;
      const remaining = limit - done;
      const removed = await remove(tx, deletion, remaining);
      if (removed < remaining) await finishDeletion(tx, deletion);
      done += removed + 1;
    }
  }

  /**
   * Removes bytes outside of a transaction and before the entry, so that the entry remains if the process is killed in
   * between.
   */
  async function removeNextContent(): Promise<boolean> {
    const deletion = await db.read((tx) => nextDeletion(tx, 'file_content'));
    if (!deletion) return false;
    await removeContent(db, store, deletion.id);
    await db.write((tx) => finishDeletion(tx, deletion));
    return true;
  }

  for (const kind of Object.keys(kinds) as (keyof typeof kinds)[]) {
    while (!isClosed() && (await removeSome(kind)));
    // After users and bots, which queue them.
    if (kind === 'bot') while (!isClosed() && (await removeConversationRows()));
  }
  try {
    while (!isClosed() && (await removeNextContent()));
  } catch (error) {
    // The store of files does not answer. Everything else is removed; the next run tries again.
    if (!(error instanceof ApiError)) throw error;
  }
}
