// SQL of the deletion of files. A row is deleted at once; its bytes and passages are queued, because bytes are removed outside
// of transactions and may be shared by copies, and passages are many.
import type { Tx, WriteTx } from '../database.ts';
import { enqueueDeletion, isQueuedForDeletion } from '../deletions.ts';
import { releaseUsage } from '../usage.ts';

/** Milliseconds that an upload may take: 24 hours. */
const uploadLifetime = 24 * 60 * 60 * 1000;

/** What the deletion of a file needs to know of it. */
interface DeletedFile {
  id: string;
  ownerType: string;
  ownerId: string;
  botId: string;
  size: number;
}

const columns = 'id, owner_type AS "ownerType", owner_id AS "ownerId", bot_id AS "botId", size';

/** Deletes a file; its key is free at once. */
export async function deleteFile(tx: WriteTx, id: string): Promise<void> {
  const file = await tx.get<DeletedFile>(`SELECT ${columns} FROM files WHERE id = ?`, id);
  if (file) await remove(tx, file);
}

/** Deletes up to `limit` files of a visitor; returns how many. */
export async function deleteFilesOfVisitor(tx: WriteTx, userId: string, limit: number): Promise<number> {
  return removeAll(
    tx,
    await tx.all(`SELECT ${columns} FROM files WHERE owner_id = ? LIMIT ?`, userId, limit),
  );
}

/** Deletes up to `limit` files of a bot, those of its visitors included; returns how many. */
export async function deleteFilesOfBot(tx: WriteTx, botId: string, limit: number): Promise<number> {
  return removeAll(tx, await tx.all(`SELECT ${columns} FROM files WHERE bot_id = ? LIMIT ?`, botId, limit));
}

/** Deletes up to `limit` files that have expired; returns how many. */
export async function deleteExpiredFiles(tx: WriteTx, now: number, limit: number): Promise<number> {
  return removeAll(
    tx,
    await tx.all(
      `SELECT ${columns} FROM files WHERE expires_at IS NOT NULL AND expires_at <= ? LIMIT ?`,
      now,
      limit,
    ),
  );
}

/** True when a file has expired. */
export async function hasExpiredFile(tx: Tx, now: number): Promise<boolean> {
  const found = await tx.get(
    'SELECT 1 FROM files WHERE expires_at IS NOT NULL AND expires_at <= ? LIMIT 1',
    now,
  );
  return found !== undefined;
}

/**
 * Ends up to `limit` uploads that were not completed in time: files of visitors are deleted, others stay as failed.
 * Returns how many there were.
 */
export async function expireUploads(tx: WriteTx, now: number, limit: number): Promise<number> {
  const late = await tx.all<DeletedFile>(
    `SELECT ${columns} FROM files WHERE status = 'upload_pending' AND announced_at <= ? LIMIT ?`,
    now - uploadLifetime,
    limit,
  );
  for (const file of late) {
    if (file.ownerType === 'visitor') {
      await remove(tx, file);
      continue;
    }
    await enqueueFileData(tx, file.id);
    await tx.run(
      `UPDATE files SET status = 'upload_failed', content_id = '',
         failed_reason = 'The bytes did not come within 24 hours.' WHERE id = ?`,
      file.id,
    );
  }
  return late.length;
}

/**
 * Deletes a file whose bytes will not come, unless other bytes are awaited, or stored, by now. Its bytes are queued in any
 * case: where the file was deleted before, the queue may have come to them before they were written.
 */
export async function deletePendingFile(
  tx: WriteTx,
  { id, contentId }: { id: string; contentId: string },
): Promise<void> {
  const file = await tx.get<DeletedFile>(
    `SELECT ${columns} FROM files WHERE id = ? AND content_id = ? AND status = 'upload_pending'`,
    id,
    contentId,
  );
  if (file) await remove(tx, file);
  await enqueueDeletion(tx, 'file_content', contentId);
}

/** Queues the removal of the bytes and passages of a file. */
export async function enqueueFileData(tx: WriteTx, id: string): Promise<void> {
  const file = await tx.get<Record<'content' | 'version' | 'pendingVersion', string | null>>(
    'SELECT content_id AS "content", index_version AS "version", pending_version AS "pendingVersion" FROM files WHERE id = ?',
    id,
  );
  if (file?.content) await enqueueDeletion(tx, 'file_content', file.content);
  for (const version of [file?.version, file?.pendingVersion]) {
    if (version) await enqueueDeletion(tx, 'index_version', version);
  }
}

/** True while a file, a copy for example, has these bytes. A new file cannot begin to, unless it copies one that has. */
export async function isContentUsed(tx: Tx, contentId: string): Promise<boolean> {
  return (await tx.get('SELECT 1 FROM files WHERE content_id = ?', contentId)) !== undefined;
}

/** True while bytes of this name are in use or queued for removal; others have no owner. */
export async function isContentKnown(tx: Tx, contentId: string): Promise<boolean> {
  return (await isContentUsed(tx, contentId)) || (await isQueuedForDeletion(tx, 'file_content', contentId));
}

async function removeAll(tx: WriteTx, files: DeletedFile[]): Promise<number> {
  for (const file of files) await remove(tx, file);
  return files.length;
}

async function remove(tx: WriteTx, { id, ownerType, ownerId, botId, size }: DeletedFile): Promise<void> {
  if (ownerType === 'visitor') {
    await releaseUsage(tx, { userId: ownerId, botId }, { messages: 0, bytes: size, files: 1 });
  }
  await enqueueFileData(tx, id);
  await tx.run('DELETE FROM file_tags WHERE file_id = ?', id);
  await tx.run('DELETE FROM files WHERE id = ?', id);
}
