// SQL of passages: the parts of a file's text, which belong to an index version of the file (indexing.ts).
import type { PassageSubtype } from '../../../protocol/types/files.ts';
import type { Tx, WriteTx } from '../database.ts';

export interface PassageRow {
  /** The number of the passage in the full-text index. */
  seq: number;
  id: string;
  indexVersion: string;
  /** The position in the file, from 0. */
  position: number;
  subtype: PassageSubtype;
  page: number | null;
  /** The titles above the passage. */
  breadcrumb: string;
  content: string;
}

export const passageColumns =
  'p.seq, p.id, p.index_version, p.position, p.subtype, p.page, p.breadcrumb, p.content';

/** Stores a passage and returns its number. */
export async function insertPassage(tx: WriteTx, row: Omit<PassageRow, 'seq'>): Promise<number> {
  const made = await tx.get<{ seq: number }>(
    `INSERT INTO passages (id, index_version, position, subtype, page, breadcrumb, content, words_version)
     VALUES (?, ?, ?, ?, ?, ?, ?, 1) RETURNING seq`,
    row.id,
    row.indexVersion,
    row.position,
    row.subtype,
    row.page,
    row.breadcrumb,
    row.content,
  );
  return made?.seq ?? 0;
}

/** Passages of an index version from a position on, in order. */
export async function listPassages(
  tx: Tx,
  indexVersion: string,
  from: number,
  limit: number,
): Promise<PassageRow[]> {
  return tx.all(
    `SELECT ${passageColumns} FROM passages p WHERE p.index_version = ? AND p.position >= ?
     ORDER BY p.position LIMIT ?`,
    indexVersion,
    from,
    limit,
  );
}

/** The numbers of up to `limit` passages of an index version. */
export async function passageNumbers(tx: Tx, indexVersion: string, limit: number): Promise<number[]> {
  const rows = await tx.all<{ seq: number }>(
    'SELECT seq FROM passages WHERE index_version = ? LIMIT ?',
    indexVersion,
    limit,
  );
  return rows.map(({ seq }) => seq);
}

export async function deletePassage(tx: WriteTx, seq: number): Promise<void> {
  await tx.run('DELETE FROM passages WHERE seq = ?', seq);
}

/**
 * A passage that is searched, with the bot of its file. `botId`: null for index versions that were never published, and those of
 * deleted files.
 */
type SearchedPassage = Pick<PassageRow, 'seq' | 'breadcrumb' | 'content'> & { botId: string | null };

const selectSearched = `SELECT p.seq, p.breadcrumb, p.content,
    (SELECT f.bot_id FROM files f WHERE f.index_version = p.index_version LIMIT 1) AS bot_id
  FROM passages p`;

/** Passages after a number. */
export const searchedPassages = (tx: Tx, after: number, limit: number): Promise<SearchedPassage[]> =>
  tx.all(`${selectSearched} WHERE p.seq > ? ORDER BY p.seq LIMIT ?`, after, limit);

/** Passages whose words are those of an earlier rule. */
export const passagesWithEarlierWords = (tx: Tx, limit: number): Promise<SearchedPassage[]> =>
  tx.all(`${selectSearched} WHERE p.words_version = 0 AND p.seq > 0 ORDER BY p.seq LIMIT ?`, limit);

/** Records that the words of a passage are those of the present rule. Returns false if they were before, or it is gone. */
export async function markPassageWords(tx: WriteTx, seq: number): Promise<boolean> {
  const sql = 'UPDATE passages SET words_version = 1 WHERE seq = ? AND words_version = 0';
  return (await tx.run(sql, seq)) > 0;
}
