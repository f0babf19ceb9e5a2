// Deletes data that is older than the retention period: conversations, then users without conversations, and visitors'
// files.
import type { Transcript } from '../chat/index.ts';
import { deleteAnonymousUsers } from '../chat/index.ts';
import type { Database, WriteTx } from '../storage/database.ts';
import { deleteFiles } from '../storage/files/deletions.ts';
import type { LockName } from '../storage/locks.ts';
import { agedAfter, type RetentionTable, stillOld } from '../storage/retention.ts';

/** The number of rows that one step reads, and at most removes. */
const step = 100;
const day = 24 * 60 * 60 * 1000;

export interface RetentionOptions {
  db: Database;
  transcript: Transcript;
  now(): number;
  /** Days; 0 keeps everything. */
  days: number;
  isClosed(): boolean;
}

/**
 * Reads all rows that are old enough, in steps. The age of a conversation counts from its last change, that of a user
 * without a foreign id from their last change, that of a file from its announcement. A row that is used again in the
 * meantime is kept.
 */
export async function deleteUnused(options: RetentionOptions): Promise<void> {
  const { transcript, now, days } = options;
  if (days === 0) return;
  const before = now() - days * day;
  await deleteOld(options, 'conversations', before, (tx, ids) =>
    transcript.removeConversations(
      tx,
      ids.map((id) => ({ id })),
    ),
  );
  await deleteOld(options, 'files', before, deleteFiles);
  await deleteOld(options, 'users', before, deleteAnonymousUsers);
}

const lockKinds = { conversations: 'conversation', users: 'owner', files: undefined } as const;

async function deleteOld(
  { db, isClosed }: RetentionOptions,
  table: RetentionTable,
  before: number,
  remove: (tx: WriteTx, ids: readonly string[]) => Promise<void>,
): Promise<void> {
  let after = '';
  while (!isClosed()) {
    const rows = await db.read((tx) => agedAfter(tx, table, after, before, step));
    const old = rows.filter(({ isOld }) => isOld === 1);
    if (old.length > 0) {
      await db.write(async (tx) => {
        // Nothing is added between the look at a row and its removal.
        const kind = lockKinds[table];
        const ids = old.map(({ id }) => id);
        if (kind) await tx.lock(...ids.map((id): LockName => `${kind}:${id}`));
        const stillUnused = await stillOld(tx, table, ids, before);
        if (stillUnused.length > 0) await remove(tx, stillUnused);
      });
    }
    const last = rows.at(-1);
    // Ids are in the order of creation, so all following rows are newer.
    if (!last || rows.length < step || last.createdAt > before) return;
    after = last.id;
  }
}
