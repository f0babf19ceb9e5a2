// Search by words, with SQLite's FTS5 behind it. It finds and ranks; who may see what it finds is the caller's matter.
import type { Tx, WriteTx } from '../db/database.ts';
import { wordsOf } from './words.ts';

/** A passage that fits a query. */
export interface Hit {
  seq: number;
  /** 0 to 1, higher is better; of one search only to be compared. */
  score: number;
}

/**
 * The seam of search: what knows which passages are about a text. This one goes by words; one that goes by meaning
 * computes its vectors before the transaction of `add`, and keeps them beside the passages.
 */
export interface PassageIndex {
  add(tx: WriteTx, botId: string, passage: { seq: number; text: string }): Promise<void>;
  remove(tx: WriteTx, seq: number): Promise<void>;
  /** The passages of a bot that fit best, best first, `limit` at most. Any text is a query. */
  find(tx: Tx, botId: string, query: string, limit: number): Promise<Hit[]>;
}

/** Words of one query that count. */
const queryWords = 64;

/** Makes the tables that are missing. Not one of the numbered migrations: every database has its own way. */
export async function openFullText(tx: WriteTx): Promise<PassageIndex> {
  // Without the text itself, which stands with the passages; words come cut, so that every script is cut by our rules.
  await tx.run(
    `CREATE VIRTUAL TABLE IF NOT EXISTS passage_words USING fts5
       (bot, words, content = '', contentless_delete = 1, tokenize = "unicode61 remove_diacritics 0 categories 'L* N* M*'")`,
  );
  await tx.run(`CREATE VIRTUAL TABLE IF NOT EXISTS passage_vocabulary USING fts5vocab(passage_words, 'row')`);

  return {
    async add(tx, botId, { seq, text }) {
      await tx.run(
        'INSERT INTO passage_words (rowid, bot, words) VALUES (?, ?, ?)',
        seq,
        botWord(botId),
        wordsOf(text).join(' '),
      );
    },

    async remove(tx, seq) {
      await tx.run('DELETE FROM passage_words WHERE rowid = ?', seq);
    },

    async find(tx, botId, query, limit) {
      const words = [...new Set(wordsOf(query))].slice(0, queryWords);
      if (words.length === 0) return [];
      const best = await bestScore(tx, words);
      // Words are letters and digits; in quotes not even AND and NOT are more than words.
      const match = `bot : "${botWord(botId)}" AND words : (${words.map((word) => `"${word}"`).join(' OR ')})`;
      const rows = await tx.all<{ seq: number; rank: number }>(
        `SELECT rowid AS seq, rank FROM passage_words
         WHERE passage_words MATCH ? AND rank MATCH 'bm25(0.0, 1.0)' ORDER BY rank LIMIT ?`,
        match,
        limit,
      );
      return rows.map(({ seq, rank }) => ({ seq, score: Math.min(1, Math.max(0, -rank / best)) }));
    },
  };
}

/** bm25 of a passage that holds nothing but the words of the query: the most there can be (FTS5 has k1 = 1.2). */
async function bestScore(tx: Tx, words: string[]): Promise<number> {
  const total =
    (await tx.get<{ count: number | null }>('SELECT MAX(seq) AS "count" FROM passages'))?.count ?? 0;
  let sum = 0;
  let known = 0;
  for (const word of words) {
    const found = await tx.get<{ doc: number }>('SELECT doc FROM passage_vocabulary WHERE term = ?', word);
    if (!found) continue;
    known += 1;
    sum += 2.2 * Math.max(1e-6, Math.log((total - found.doc + 0.5) / (found.doc + 0.5)));
  }
  // A word that is nowhere counts like one of the others: what lacks it fits less.
  return known === 0 ? 1 : (sum * words.length) / known;
}

/** The id as one word; the prefix keeps it apart from words that people write. */
const botWord = (botId: string): string => `bot${botId.replace(/[^A-Za-z0-9]/g, '')}`.toLowerCase();
