// SQL of the deletion of files. The row is deleted at once. The removal of bytes and passages is queued: bytes are
// removed outside of transactions and can be shared by copies, and there can be many passages.
import type { Tx, WriteTx } from '../database.ts';
import { enqueueDeletion, enqueueDeletions, isQueuedForDeletion } from '../deletions.ts';
import { forDialect, inList, rowLock } from '../dialect.ts';
import { redactResponsesOf } from '../idempotency.ts';
import { releaseUsage, releaseUsages } from '../usage.ts';
import { isConversationFile } from './owners.ts';

/** The maximum duration of an upload in milliseconds: 24 hours. */
const uploadLifetimeMs = 24 * 60 * 60 * 1000;

/** The fields of a file that its deletion uses. */
interface DeletedFile {
  id: string;
  ownerType: string;
  ownerId: string;
  botId: string;
  size: number;
}

const columns = 'id, owner_type, owner_id, bot_id, size';

/** Deletes a file; its key can be reused at once. */
export async function deleteFile(tx: WriteTx, id: string): Promise<void> {
  const file = await tx.get<DeletedFile>(`SELECT ${columns} FROM files WHERE id = ?`, id);
  if (file) await remove(tx, file);
}

/** Deletes files as `deleteFile` does, by statements whose number does not depend on theirs. */
export async function deleteFiles(tx: WriteTx, ids: readonly string[]): Promise<void> {
  const condition = inList(tx, 'id', ids);
  // In one order, so that two that delete the same files wait for each other once.
  const locked = forDialect(tx, {
    sqlite: condition.sql,
    postgres: `id IN (SELECT id FROM files WHERE ${condition.sql} ORDER BY id FOR UPDATE)`,
  });
  const deleted = await tx.all<DeletedFile & FileData>(
    `DELETE FROM files WHERE ${locked} RETURNING ${columns}, ${dataColumns}`,
    ...condition.values,
  );
  if (deleted.length === 0) return;
  await releaseUsages(
    tx,
    deleted
      .filter(({ ownerType }) => ownerType === 'visitor')
      .flatMap(({ ownerId, botId, size }) =>
        [ownerId, botId].map((id) => ({ id, messages: 0, bytes: size, files: 1 })),
      ),
  );
  await enqueueAll(
    tx,
    'file_content',
    deleted.map(({ content }) => content),
  );
  await enqueueAll(
    tx,
    'index_version',
    deleted.flatMap(({ version, pendingVersion }) => [version, pendingVersion]),
  );
  await forgetFiles(
    tx,
    deleted.map(({ id }) => id),
  );
}

/** Deletes what other tables have about deleted files. A note can outlive its file. */
async function forgetFiles(tx: WriteTx, ids: readonly string[]): Promise<void> {
  const condition = inList(tx, 'file_id', ids);
  for (const table of ['file_tags', 'note_files'])
    await tx.run(`DELETE FROM ${table} WHERE ${condition.sql}`, ...condition.values);
  await redactResponsesOf(tx, ids);
}

/** Copies of a file have the same bytes. */
async function enqueueAll(
  tx: WriteTx,
  kind: 'file_content' | 'index_version',
  ids: readonly (string | null)[],
): Promise<void> {
  const presentIds = [...new Set(ids)].filter((id): id is string => Boolean(id));
  if (presentIds.length > 0) await enqueueDeletions(tx, kind, presentIds);
}

/** Deletes up to `limit` files of a visitor and returns their number. */
export async function deleteFilesOfVisitor(tx: WriteTx, userId: string, limit: number): Promise<number> {
  return removeAll(
    tx,
    await tx.all(`SELECT ${columns} FROM files WHERE owner_id = ? LIMIT ?`, userId, limit),
  );
}

/** Deletes up to `limit` files that members have sent in these conversations, and returns their number. */
export async function deleteFilesOfConversations(
  tx: WriteTx,
  conversationIds: readonly string[],
  limit: number,
): Promise<number> {
  const owners = inList(tx, 'owner_id', conversationIds);
  return removeAll(
    tx,
    await tx.all(`SELECT ${columns} FROM files WHERE ${owners.sql} LIMIT ?`, ...owners.values, limit),
  );
}

/** Deletes up to `limit` files of a bot and its visitors, and returns their number. */
export async function deleteFilesOfBot(tx: WriteTx, botId: string, limit: number): Promise<number> {
  return removeAll(tx, await tx.all(`SELECT ${columns} FROM files WHERE bot_id = ? LIMIT ?`, botId, limit));
}

/**
 * A file that another transaction is changing is left for the next run: its upload may be complete then, it may belong to a
 * note, and its expiry time may be another one.
 */
const lockOf = (tx: Tx): string => rowLock(tx, 'FOR UPDATE SKIP LOCKED');

/** Deletes up to `limit` expired files and returns their number. */
export async function deleteExpiredFiles(tx: WriteTx, now: number, limit: number): Promise<number> {
  return removeAll(
    tx,
    await tx.all(
      `SELECT ${columns} FROM files WHERE expires_at IS NOT NULL AND expires_at <= ? LIMIT ? ${lockOf(tx)}`,
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
 * Ends up to `limit` uploads that were not completed in time: files in conversations are deleted, others are marked as
 * failed. Returns their number.
 */
export async function expireUploads(tx: WriteTx, now: number, limit: number): Promise<number> {
  const expired = await tx.all<DeletedFile>(
    `SELECT ${columns} FROM files WHERE status = 'upload_pending' AND announced_at <= ? LIMIT ? ${lockOf(tx)}`,
    now - uploadLifetimeMs,
    limit,
  );
  await removeAll(tx, expired.filter(isConversationFile));
  for (const file of expired) {
    if (isConversationFile(file)) continue;
    await enqueueFileData(tx, file.id);
    await tx.run(
      `UPDATE files SET status = 'upload_failed', content_id = '',
         failed_reason = 'The bytes did not come within 24 hours.' WHERE id = ? AND status = 'upload_pending'`,
      file.id,
    );
  }
  return expired.length;
}

/**
 * Deletes a file whose bytes will not arrive, unless other bytes are expected or stored by now. The removal of its
 * bytes is queued in any case: if the file was deleted before, the queue may have been processed before the bytes were
 * written.
 * @returns whether its bytes were awaited until now
 */
export async function deletePendingFile(
  tx: WriteTx,
  { id, contentId }: { id: string; contentId: string },
): Promise<boolean> {
  const file = await tx.get<DeletedFile>(
    `SELECT ${columns} FROM files WHERE id = ? AND content_id = ? AND status = 'upload_pending'`,
    id,
    contentId,
  );
  if (file) await remove(tx, file);
  await enqueueDeletion(tx, 'file_content', contentId);
  return file !== undefined;
}

/** Queues the removal of the bytes and passages of a file. */
export async function enqueueFileData(tx: WriteTx, id: string): Promise<void> {
  const data = await tx.get<FileData>(`SELECT ${dataColumns} FROM files WHERE id = ?`, id);
  if (data) await enqueueData(tx, data);
}

type FileData = Record<'content' | 'version' | 'pendingVersion', string | null>;

const dataColumns = 'content_id AS content, index_version AS version, pending_version';

async function enqueueData(tx: WriteTx, { content, version, pendingVersion }: FileData): Promise<void> {
  if (content) await enqueueDeletion(tx, 'file_content', content);
  for (const one of [version, pendingVersion]) if (one) await enqueueDeletion(tx, 'index_version', one);
}

/**
 * True while a file, a copy or a configuration uses these bytes. No file can start to use them after that, because it would have to be a
 * copy of one that does.
 */
export async function isContentUsed(tx: Tx, contentId: string): Promise<boolean> {
  const row = await tx.get(
    'SELECT 1 FROM files WHERE content_id = ? UNION ALL SELECT 1 FROM configuration_files WHERE content_id = ?',
    contentId,
    contentId,
  );
  return row !== undefined;
}

/** True while these bytes are in use or queued for removal; otherwise they are orphaned. */
export async function isContentKnown(tx: Tx, contentId: string): Promise<boolean> {
  return (await isContentUsed(tx, contentId)) || (await isQueuedForDeletion(tx, 'file_content', contentId));
}

async function removeAll(tx: WriteTx, files: DeletedFile[]): Promise<number> {
  if (files.length > 0)
    await deleteFiles(
      tx,
      files.map(({ id }) => id),
    );
  return files.length;
}

async function remove(tx: WriteTx, { id, ownerType, ownerId, botId, size }: DeletedFile): Promise<void> {
  // First, so that of two removals at once one subtracts the usage.
  const data = await tx.get<FileData>(`DELETE FROM files WHERE id = ? RETURNING ${dataColumns}`, id);
  if (!data) return;
  if (ownerType === 'visitor') {
    await releaseUsage(tx, { userId: ownerId, botId }, { messages: 0, bytes: size, files: 1 });
  }
  await enqueueData(tx, data);
  await forgetFiles(tx, [id]);
}
