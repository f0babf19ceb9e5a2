// SQL of passages: the parts of a file's text, which belong to an index version of the file (indexing.ts), and their full-text index.
import { isPrefix } from '../../../protocol/locale/word-splitting.ts';
import type { PassageSubtype } from '../../../protocol/types/files.ts';
import type { Tx, WriteTx } from '../database.ts';
import { arrayText, forDialect, inList } from '../dialect.ts';
import { type FileFilter, fileCondition } from './file-lists.ts';
import { type FileRow, fileColumns } from './files.ts';

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

/** The number of index pages that one step of merging writes, which takes a few milliseconds. */
const mergedPages = 64;

/** Whether the index is a virtual table of FTS5. */
const isFts5 = { sqlite: true, postgres: false };

/** The column with the number of the passage. */
const numberColumn = { sqlite: 'rowid', postgres: 'seq' };

/**
 * Creates the missing tables of the full-text index of passages (FTS5 of SQLite, tsvector of PostgreSQL). Not a numbered
 * migration, because the index of SQLite is a module of it; the schema of PostgreSQL contains its index.
 */
export async function createPassageIndex(tx: WriteTx): Promise<void> {
  if (!forDialect(tx, isFts5)) return;
  // Without the text, which is stored with the passages. The text is already split into tokens, so FTS5 must not split
  // it. The table and its columns keep the names of version 0.1, because renaming a column requires a new index.
  await tx.run(
    `CREATE VIRTUAL TABLE IF NOT EXISTS passage_words USING fts5
       (bot, words, content = '', contentless_delete = 1, tokenize = "unicode61 remove_diacritics 0 categories 'L* N* M*'")`,
  );
  // Created by earlier versions.
  await tx.run('DROP TABLE IF EXISTS passage_vocabulary');
}

/** Adds a passage. Tokens consist of letters, digits and marks. */
export async function addToPassageIndex(
  tx: WriteTx,
  botId: string,
  seq: number,
  tokens: readonly string[],
): Promise<void> {
  await forDialect(tx, {
    sqlite: () =>
      tx.run(
        'INSERT INTO passage_words (rowid, bot, words) VALUES (?, ?, ?)',
        seq,
        botToken(botId),
        tokens.join(' '),
      ),
    postgres: () =>
      tx.run(
        'INSERT INTO passage_words (seq, words) VALUES (?, array_to_tsvector(?::text[]))',
        seq,
        arrayText([...new Set([`${botPrefix}${botToken(botId)}`, ...tokens])]),
      ),
  })();
}

/** The number of the last passage in the index; 0 for an empty one. */
export async function lastInPassageIndex(tx: Tx): Promise<number> {
  const column = forDialect(tx, numberColumn);
  const row = await tx.get<{ seq: number }>(
    `SELECT ${column} AS seq FROM passage_words ORDER BY ${column} DESC LIMIT 1`,
  );
  return row?.seq ?? 0;
}

export async function removeFromPassageIndex(tx: WriteTx, seq: number): Promise<void> {
  const column = forDialect(tx, numberColumn);
  await tx.run(`DELETE FROM passage_words WHERE ${column} = ?`, seq);
}

/**
 * Runs one step of removing the tokens of removed passages from the index. Deleting a row only hides its tokens;
 * merging rewrites the index without them (SQLite FTS5, "merge"). `isFirst` starts it. Returns true when nothing
 * remains. In PostgreSQL, autovacuum removes them.
 */
export async function compactPassageIndex(tx: WriteTx, isFirst: boolean): Promise<boolean> {
  if (!forDialect(tx, isFts5)) return true;
  const changes = async () =>
    (await tx.get<{ count: number }>('SELECT total_changes() AS count'))?.count ?? 0;
  const before = await changes();
  await tx.run(
    "INSERT INTO passage_words (passage_words, rank) VALUES ('merge', ?)",
    isFirst ? -mergedPages : mergedPages,
  );
  // The command itself counts as one change (manual of FTS5).
  return (await changes()) - before < 2;
}

/** A passage and the tokens of a query that it contains, each as a bit in the order of the query. */
export interface TokenMatch {
  seq: number;
  mask: number;
}

/**
 * The passages of matching files with at least one of these tokens, those with most tokens first. `files/full-text.ts` ranks
 * them, because the ranks and counts of engines include the data of all bots.
 */
export async function passagesWithTokens(
  tx: Tx,
  tokens: readonly string[],
  { botId, filter, limit }: { botId: string; filter: FileFilter; limit: number },
): Promise<TokenMatch[]> {
  const { sql, values } = fileCondition(tx, filter);
  const column = forDialect(tx, numberColumn);
  const match = forDialect(tx, { sqlite: 'passage_words MATCH ?', postgres: 'words @@ CAST(? AS tsquery)' });
  const ofToken = (_: string, index: number) =>
    `SELECT ${column} AS seq, ${2 ** index} AS bit FROM passage_words WHERE ${match}`;
  // Tokens are letters and digits; the quotes prevent operators such as AND and NOT.
  const queryOf = (token: string) =>
    forDialect(tx, {
      sqlite: `bot : "${botToken(botId)}" AND words : "${token}"${isPrefix(token) ? ' *' : ''}`,
      postgres: `'${botPrefix}${botToken(botId)}' & '${token}'${isPrefix(token) ? ':*' : ''}`,
    });
  return tx.all(
    `SELECT h.seq, h.mask FROM
       (SELECT seq, SUM(bit) AS mask, COUNT(*) AS count FROM (${tokens.map(ofToken).join(' UNION ALL ')}) b GROUP BY seq) h
     JOIN passages p ON p.seq = h.seq
     WHERE p.index_version IN (SELECT f.index_version FROM files f WHERE f.index_version IS NOT NULL AND ${sql})
     ORDER BY h.count DESC, h.seq LIMIT ?`,
    ...tokens.map(queryOf),
    ...values,
    limit,
  );
}

/** The texts of passages by their numbers. */
export async function passageTexts(tx: Tx, seqs: readonly number[]): Promise<Map<number, string>> {
  const isAsked = inList(tx, 'seq', seqs);
  const rows = await tx.all<{ seq: number; content: string }>(
    `SELECT seq, content FROM passages WHERE ${isAsked.sql}`,
    ...isAsked.values,
  );
  return new Map(rows.map(({ seq, content }) => [seq, content]));
}

/** Distinguishes the token of a bot from those of texts, which contain only letters, digits and marks (PostgreSQL). */
const botPrefix = ':';

/** The id of a bot as one token. The prefix distinguishes it from tokens of texts. */
const botToken = (botId: string): string => `bot${botId.replace(/[^A-Za-z0-9]/g, '')}`.toLowerCase();

/** Of the passages with these numbers, the searchable ones of matching files, each with its file. */
export async function foundPassages(
  tx: Tx,
  seqs: readonly number[],
  filter: FileFilter,
): Promise<{ passage: PassageRow; file: FileRow }[]> {
  const { sql, values } = fileCondition(tx, filter);
  const isFound = inList(tx, 'p.seq', seqs);
  const rows = await tx.all<PassageRow & FileRow & { passageId: string; passageVersion: string }>(
    `SELECT ${passageColumns}, p.id AS passage_id, p.index_version AS passage_version, ${fileColumns}
     FROM passages p JOIN files f ON f.index_version = p.index_version
     WHERE ${isFound.sql} AND ${sql}`,
    ...isFound.values,
    ...values,
  );
  return rows.map((row) => ({
    file: row,
    passage: { ...row, id: row.passageId, indexVersion: row.passageVersion },
  }));
}

/** True when the passages of a matching file can be searched. */
export async function hasSearchableFile(tx: Tx, filter: FileFilter): Promise<boolean> {
  const { sql, values } = fileCondition(tx, filter);
  const found = await tx.get(
    `SELECT 1 FROM files f WHERE f.index_version IS NOT NULL AND ${sql} LIMIT 1`,
    ...values,
  );
  return found !== undefined;
}
