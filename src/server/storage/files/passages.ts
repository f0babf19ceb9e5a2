// SQL of passages: the words of files, in editions. An edition is searched once a file names it; which words they
// hold is a matter of the full-text index.
import type { PassageSubtype } from '../../../protocol/platform-file.ts';
import type { Tx, WriteTx } from '../database.ts';
import { enqueueDeletion } from '../deletions.ts';

export interface PassageRow {
  /** What the full-text index knows it by. */
  seq: number;
  id: string;
  edition: string;
  /** From 0. */
  position: number;
  subtype: PassageSubtype;
  page: number | null;
  /** The titles above it. */
  breadcrumb: string;
  content: string;
}

export const passageColumns =
  'p.seq, p.id, p.edition, p.position, p.subtype, p.page, p.breadcrumb, p.content';

/** Stores a passage and gives its number. */
export async function insertPassage(tx: WriteTx, row: Omit<PassageRow, 'seq'>): Promise<number> {
  const made = await tx.get<{ seq: number }>(
    `INSERT INTO passages (id, edition, position, subtype, page, breadcrumb, content)
     VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING seq`,
    row.id,
    row.edition,
    row.position,
    row.subtype,
    row.page,
    row.breadcrumb,
    row.content,
  );
  return made?.seq ?? 0;
}

/** Passages of an edition from a place on, in their order. */
export async function listPassages(
  tx: Tx,
  edition: string,
  from: number,
  limit: number,
): Promise<PassageRow[]> {
  return tx.all(
    `SELECT ${passageColumns} FROM passages p WHERE p.edition = ? AND p.position >= ?
     ORDER BY p.position LIMIT ?`,
    edition,
    from,
    limit,
  );
}

/** A file that waits to be indexed, and its bytes. */
export interface WaitingFile {
  id: string;
  contentId: string;
  contentType: string;
  size: number;
  botId: string;
  /** How often its indexing has begun and not ended. */
  attempts: number;
}

/**
 * The next file to index: the oldest of the bot that comes after `lastBotId` in the order of ids, and after the last bot
 * the first. So every bot with waiting files gets one turn a round.
 */
export async function waitingFile(tx: Tx, lastBotId: string): Promise<WaitingFile | undefined> {
  const first = (condition: string) =>
    tx.get<WaitingFile>(
      `SELECT id, content_id AS "contentId", content_type AS "contentType", size, bot_id AS "botId",
         index_attempts AS "attempts" FROM files WHERE status = 'indexing_pending' AND ${condition}
       ORDER BY bot_id, announced_at LIMIT 1`,
      lastBotId,
    );
  return (await first('bot_id > ?')) ?? (await first('bot_id <= ?'));
}

/** Begins a new version of a file's index; an unfinished one is given up. False: the file does not wait any more. */
export async function beginEdition(tx: WriteTx, file: WaitingFile, edition: string): Promise<boolean> {
  const { pending } = await versionsOf(tx, file.id);
  if (pending) await enqueueDeletion(tx, 'index_version', pending);
  const changes = await tx.run(
    `UPDATE files SET building = ?, index_attempts = index_attempts + 1
     WHERE id = ? AND content_id = ? AND status = 'indexing_pending'`,
    edition,
    file.id,
    file.contentId,
  );
  return changes > 0;
}

/** True while a file still waits for this edition. */
export async function editionWanted(tx: Tx, fileId: string, edition: string): Promise<boolean> {
  const found = await tx.get(
    "SELECT 1 FROM files WHERE id = ? AND building = ? AND status = 'indexing_pending'",
    fileId,
    edition,
  );
  return found !== undefined;
}

/** Makes an edition the one that is searched; `bytes`: of its words. False: nobody waits for it any more. */
export async function publishEdition(
  tx: WriteTx,
  fileId: string,
  edition: string,
  bytes: number,
  now: number,
): Promise<boolean> {
  const { current, pending } = await versionsOf(tx, fileId);
  if (current && pending === edition) await enqueueDeletion(tx, 'index_version', current);
  const changes = await tx.run(
    `UPDATE files SET edition = building, building = NULL, index_attempts = 0, indexed_bytes = ?,
       status = 'indexing_completed', failed_reason = NULL, updated_at = ? WHERE id = ? AND building = ? AND status = 'indexing_pending'`,
    bytes,
    now,
    fileId,
    edition,
  );
  return changes > 0;
}

/** Says why a file cannot be indexed, and gives its edition up. */
export async function failEdition(
  tx: WriteTx,
  fileId: string,
  edition: string,
  reason: string,
  now: number,
): Promise<void> {
  const changes = await tx.run(
    `UPDATE files SET status = 'indexing_failed', failed_reason = ?, building = NULL, index_attempts = 0,
       updated_at = ? WHERE id = ? AND building = ? AND status = 'indexing_pending'`,
    reason,
    now,
    fileId,
    edition,
  );
  if (changes > 0) {
    await enqueueDeletion(tx, 'index_version', edition);
  }
}

/** Takes back that an edition was begun: the next start begins it again, as often as this happens. */
export async function suspendEdition(tx: WriteTx, fileId: string, edition: string): Promise<void> {
  await tx.run(
    `UPDATE files SET index_attempts = index_attempts - 1
     WHERE id = ? AND building = ? AND status = 'indexing_pending'`,
    fileId,
    edition,
  );
}

/** Makes a file searched by an edition that its owner has written. */
export async function setEdition(
  tx: WriteTx,
  fileId: string,
  edition: string,
  bytes: number,
  now: number,
): Promise<void> {
  for (const version of Object.values(await versionsOf(tx, fileId))) {
    if (version) await enqueueDeletion(tx, 'index_version', version);
  }
  await tx.run(
    `UPDATE files SET edition = ?, building = NULL, indexed_bytes = ?, is_indexed = 1, status = 'indexing_completed',
       failed_reason = NULL, updated_at = ? WHERE id = ?`,
    edition,
    bytes,
    now,
    fileId,
  );
}

/** The versions of a file's index: the one that is searched, and the one that is being made. */
async function versionsOf(
  tx: Tx,
  fileId: string,
): Promise<Partial<Record<'current' | 'pending', string | null>>> {
  const row = await tx.get<Record<'current' | 'pending', string | null>>(
    'SELECT edition AS "current", building AS "pending" FROM files WHERE id = ?',
    fileId,
  );
  return row ?? {};
}

/** Numbers of passages of an edition. */
export async function passageNumbers(tx: Tx, edition: string, limit: number): Promise<number[]> {
  const rows = await tx.all<{ seq: number }>(
    'SELECT seq FROM passages WHERE edition = ? LIMIT ?',
    edition,
    limit,
  );
  return rows.map(({ seq }) => seq);
}

export async function deletePassage(tx: WriteTx, seq: number): Promise<void> {
  await tx.run('DELETE FROM passages WHERE seq = ?', seq);
}
