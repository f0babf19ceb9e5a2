// The full-text index of passages (FTS5 of SQLite, tsvector of PostgreSQL): the tokens of each passage.
// files/search/full-text.ts ranks the passages, because the ranks and counts of engines include the data of all bots.
import { isPrefix } from '../../../protocol/locale/word-splitting.ts';
import type { Tx, WriteTx } from '../database.ts';
import { arrayText, forDialect, inList } from '../dialect.ts';
import { type FileFilter, fileCondition } from './file-filter.ts';

/** The number of index pages that one step of merging writes, which takes a few milliseconds. */
const mergedPages = 64;

/** Whether the index is a virtual table of FTS5. */
const isFts5 = { sqlite: true, postgres: false };

/** The column with the number of the passage. */
const numberColumn = { sqlite: 'rowid', postgres: 'seq' };

/**
 * Creates missing tables. Not a numbered migration, because the index of SQLite is a module of it; the schema of PostgreSQL
 * contains its index.
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

/** The passages of matching files with at least one of these tokens, those with most tokens first. */
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
