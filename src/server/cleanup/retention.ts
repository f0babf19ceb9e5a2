// Deletes what is older than the operator wants to keep: conversations, then users without any, and visitors' files.

import type { Transcript } from '../chat/index.ts';
import { deleteUserNow } from '../chat/index.ts';
import { conversationById } from '../storage/chat/conversations.ts';
import { userById } from '../storage/chat/users.ts';
import type { Database, WriteTx } from '../storage/database.ts';
import { deleteFile } from '../storage/files/deletions.ts';
import { agedAfter, isStillOld, type RetentionTable } from '../storage/retention.ts';

/** Rows that one step looks at, and at most removes. */
const step = 100;
const day = 24 * 60 * 60 * 1000;

export interface RetentionOptions {
  db: Database;
  transcript: Transcript;
  now(): number;
  /** Days; 0: everything is kept. */
  days: number;
  isClosed(): boolean;
}

/**
 * Walks all rows that are old enough, in steps. A conversation counts from the last thing that happened in it, a user
 * without a foreign id from their last change, a file from its announcement. What is used again in between stays.
 */
export async function deleteUnused(options: RetentionOptions): Promise<void> {
  const { transcript, now, days } = options;
  if (days === 0) return;
  const before = now() - days * day;
  await walk(options, 'conversations', before, async (tx, id) => {
    const conversation = await conversationById(tx, id);
    if (conversation) await transcript.removeConversation(tx, conversation);
  });
  await walk(options, 'files', before, deleteFile);
  await walk(options, 'users', before, async (tx, id) => {
    const user = await userById(tx, id);
    // Nobody listens to a conversation as a user without any, so there is nobody to tell.
    if (user) await deleteUserNow(tx, user, { now, onUserRemoved() {} });
  });
}

async function walk(
  { db, isClosed }: RetentionOptions,
  table: RetentionTable,
  before: number,
  remove: (tx: WriteTx, id: string) => Promise<void>,
): Promise<void> {
  let after = '';
  while (!isClosed()) {
    const rows = await db.read((tx) => agedAfter(tx, table, after, before, step));
    const old = rows.filter(({ isOld }) => isOld === 1);
    if (old.length > 0) {
      await db.write(async (tx) => {
        for (const { id } of old) if (await isStillOld(tx, table, id, before)) await remove(tx, id);
      });
    }
    const last = rows.at(-1);
    // Ids are in the order of creation: what follows was made later.
    if (!last || rows.length < step || last.createdAt > before) return;
    after = last.id;
  }
}
