// SQL of the end of files: what is past its time, and what is left of deleted files until it is swept out. Bytes lie on
// disk under their own names, and may be shared by copies.
import type { Tx, WriteTx } from '../database.ts';
import { releaseUsage } from '../usage.ts';

/** Milliseconds that an upload may take before it is given up: 24 hours. */
const uploadLifetime = 24 * 60 * 60 * 1000;

/** Gives up to `limit` uploads up that were never completed: visitors' go out of sight, others say so. */
export async function expireUploads(tx: WriteTx, now: number, limit: number): Promise<number> {
  const late = `SELECT id FROM files WHERE status = 'upload_pending' AND announced_at <= ? LIMIT ?`;
  await tx.run(
    `INSERT INTO file_graves (kind, id) SELECT 'content', content_id FROM files WHERE id IN (${late})
     ON CONFLICT DO NOTHING`,
    now - uploadLifetime,
    limit,
  );
  return tx.run(
    `UPDATE files SET status = CASE owner_type WHEN 'visitor' THEN 'deleted' ELSE 'upload_failed' END,
       content_id = '', failed_reason = 'The bytes did not come within 24 hours.' WHERE id IN (${late})`,
    now - uploadLifetime,
    limit,
  );
}

/** Takes up to `limit` files out of sight whose time is over. */
export async function expireFiles(tx: WriteTx, now: number, limit: number): Promise<number> {
  return tx.run(
    `UPDATE files SET status = 'deleted', space = NULL, expires_at = NULL WHERE id IN
       (SELECT id FROM files WHERE expires_at IS NOT NULL AND expires_at <= ? LIMIT ?)`,
    now,
    limit,
  );
}

/** True when the time of a file is over. */
export async function anyExpired(tx: Tx, now: number): Promise<boolean> {
  const found = await tx.get(
    'SELECT 1 FROM files WHERE expires_at IS NOT NULL AND expires_at <= ? LIMIT 1',
    now,
  );
  return found !== undefined;
}

/** How far the words of removed passages are taken out of the full-text index: not begun, or begun. */
type Compaction = 'wanted' | 'begun';

/** The compaction of the full-text index that is to be done; undefined when there is none. */
export async function nextCompaction(tx: Tx): Promise<Compaction | undefined> {
  const row = await tx.get<{ id: Compaction }>(
    "SELECT id FROM file_graves WHERE kind = 'index' ORDER BY id DESC LIMIT 1",
  );
  return row?.id;
}

/** Puts this state in the place of the one before; undefined: it is done. */
export async function setCompaction(tx: WriteTx, state: Compaction | undefined): Promise<void> {
  await tx.run("DELETE FROM file_graves WHERE kind = 'index'");
  if (state) await tx.run("INSERT INTO file_graves (kind, id) VALUES ('index', ?)", state);
}

/** Removes the rows of up to `limit` deleted files; what else is theirs waits in graves. Gives how many. */
export async function buryFiles(tx: WriteTx, limit: number): Promise<number> {
  const rows = await tx.all<{ id: string; type: string; ownerId: string; botId: string; size: number }>(
    `SELECT id, owner_type AS "type", owner_id AS "ownerId", bot_id AS "botId", size
     FROM files WHERE status = 'deleted' LIMIT ?`,
    limit,
  );
  for (const { id, type, ownerId, botId, size } of rows) {
    if (type === 'visitor')
      await releaseUsage(tx, { userId: ownerId, botId }, { messages: 0, bytes: size, files: 1 });
    await bury(tx, id);
    await tx.run('DELETE FROM file_tags WHERE file_id = ?', id);
    await tx.run('DELETE FROM files WHERE id = ?', id);
  }
  return rows.length;
}

/** Notes that bytes and passages of a file are to be removed. */
export async function bury(tx: WriteTx, id: string): Promise<void> {
  for (const [kind, column] of [
    ['content', 'content_id'],
    ['passages', 'edition'],
    ['passages', 'building'],
  ]) {
    await tx.run(
      `INSERT INTO file_graves (kind, id) SELECT '${kind}', ${column} FROM files
       WHERE id = ? AND ${column} <> '' ON CONFLICT DO NOTHING`,
      id,
    );
  }
}

/** Names of bytes that wait to be removed. */
export async function buriedContents(tx: Tx, limit: number): Promise<string[]> {
  const rows = await tx.all<{ id: string }>(
    "SELECT id FROM file_graves WHERE kind = 'content' LIMIT ?",
    limit,
  );
  return rows.map(({ id }) => id);
}

/** True when no file, a copy for example, has these bytes: none can begin to. */
export async function contentUnused(tx: Tx, contentId: string): Promise<boolean> {
  return !(await contentUsed(tx, contentId));
}

export async function forgetContent(tx: WriteTx, contentId: string): Promise<void> {
  await tx.run("DELETE FROM file_graves WHERE kind = 'content' AND id = ?", contentId);
}

/** True while bytes of this name are known, in use or waiting to be removed: then they are no orphans. */
export async function contentKnown(tx: Tx, contentId: string): Promise<boolean> {
  if (await contentUsed(tx, contentId)) return true;
  const grave = await tx.get("SELECT 1 FROM file_graves WHERE kind = 'content' AND id = ?", contentId);
  return grave !== undefined;
}

async function contentUsed(tx: Tx, contentId: string): Promise<boolean> {
  return (await tx.get('SELECT 1 FROM files WHERE content_id = ?', contentId)) !== undefined;
}
