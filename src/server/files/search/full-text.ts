// Search by words, with SQLite's FTS5 behind it. It finds and ranks; who may see what comes as a condition, and what they
// may not see has no part in the answer: FTS5's own ranks and counts are those of all bots together, so none is used.
import type { Tx, WriteTx } from '../../storage/database.ts';
import type { Condition } from '../../storage/files/condition.ts';
import { wordsOf } from './tokenizer.ts';

/** A passage that fits a query. */
export interface Hit {
  seq: number;
  /** 0 to 1, higher is better; of one search only to be compared. */
  score: number;
}

export interface PassageQuery {
  botId: string;
  /** Any text. */
  query: string;
  /** The passages `p` that the caller may see. */
  visible: Condition;
  limit: number;
}

/**
 * The seam of search: what knows which passages are about a text. This one goes by words; one that goes by meaning
 * computes its vectors before the transaction of `add`, and keeps them beside the passages.
 */
export interface PassageIndex {
  add(tx: WriteTx, botId: string, passage: { seq: number; text: string }): Promise<void>;
  remove(tx: WriteTx, seq: number): Promise<void>;
  /**
   * One step of taking the words of removed passages out of the index's files; `isFirst` begins it. Gives true when
   * nothing is left to do.
   */
  compact(tx: WriteTx, isFirst: boolean): Promise<boolean>;
  /** The visible passages of a bot that fit best, best first. Scores and order say nothing of any other passage. */
  find(tx: Tx, query: PassageQuery): Promise<Hit[]>;
}

/** Words of one query that count: each is a bit of a number that JavaScript holds exactly. */
const queryWords = 48;
/** Passages that are weighed by the words that they have, those with most of them; and those whose text is read. */
const weighed = 25_000;
const reread = 200;
/** How soon a word that comes again tells nothing new, and how much longer texts count less (BM25's k1 and b). */
const saturation = 0.5;
const lengthWeight = 0.5;
/** Words of a passage of the usual length: a number of its own, for an average would tell of what others store. */
const usualLength = 100;

/** Pages of the index that one step of merging writes: some milliseconds. */
const mergedPages = 64;

/** Makes the tables that are missing. Not one of the numbered migrations: every database has its own way. */
export async function openFullText(tx: WriteTx): Promise<PassageIndex> {
  // Without the text itself, which stands with the passages; words come cut, so that every script is cut by our rules.
  await tx.run(
    `CREATE VIRTUAL TABLE IF NOT EXISTS passage_words USING fts5
       (bot, words, content = '', contentless_delete = 1, tokenize = "unicode61 remove_diacritics 0 categories 'L* N* M*'")`,
  );
  // Of an earlier version.
  await tx.run('DROP TABLE IF EXISTS passage_vocabulary');

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

    // Deleted rows only hide their words; merging writes the index anew without them (SQLite FTS5, "merge").
    async compact(tx, isFirst) {
      const changes = async () =>
        (await tx.get<{ count: number }>('SELECT total_changes() AS count'))?.count ?? 0;
      const before = await changes();
      await tx.run(
        "INSERT INTO passage_words (passage_words, rank) VALUES ('merge', ?)",
        isFirst ? -mergedPages : mergedPages,
      );
      // As the manual of FTS5 says: the command itself is one change.
      return (await changes()) - before < 2;
    },

    async find(tx, { query, limit, ...where }) {
      const words = [...new Set(wordsOf(query))].slice(0, queryWords);
      if (words.length === 0) return [];
      const found = await passagesWith(tx, words, where);
      const weights = weightsOf(found, words.length);
      const told = (one: Found): number => sumOf(weights, (index) => (has(one, index) ? 1 : 0));
      const best = found
        .map((one) => ({ ...one, score: told(one) }))
        .sort(byScore)
        .slice(0, Math.max(limit, reread));
      const texts = await textsOf(tx, best);
      return best
        .map((one) => ({
          seq: one.seq,
          score: scoreOf(one, wordsOf(texts.get(one.seq) ?? ''), words, weights),
        }))
        .sort(byScore)
        .slice(0, limit);
    },
  };
}

/** A passage with the words of the query that it has, each a bit. */
interface Found {
  seq: number;
  mask: number;
}

const has = ({ mask }: Found, index: number): boolean => Math.floor(mask / 2 ** index) % 2 === 1;
const byScore = (a: Hit, b: Hit): number => b.score - a.score || a.seq - b.seq;
const sumOf = (weights: number[], share: (index: number) => number): number =>
  weights.reduce((sum, weight, index) => sum + weight * share(index), 0);

/** The visible passages with one of these words, those with most of them first. */
async function passagesWith(
  tx: Tx,
  words: string[],
  { botId, visible }: Pick<PassageQuery, 'botId' | 'visible'>,
): Promise<Found[]> {
  const one = (_: string, index: number) =>
    `SELECT rowid AS seq, ${2 ** index} AS bit FROM passage_words WHERE passage_words MATCH ?`;
  return tx.all(
    `SELECT h.seq, h.mask FROM
       (SELECT seq, SUM(bit) AS mask, COUNT(*) AS count FROM (${words.map(one).join(' UNION ALL ')}) GROUP BY seq) h
     JOIN passages p ON p.seq = h.seq WHERE ${visible.sql} ORDER BY h.count DESC, h.seq LIMIT ?`,
    // Words are letters and digits; in quotes not even AND and NOT are more than words.
    ...words.map((word) => `bot : "${botWord(botId)}" AND words : "${word}"`),
    ...visible.values,
    weighed,
  );
}

/** What each word tells: one that few of the passages have that were found tells more. */
function weightsOf(found: Found[], words: number): number[] {
  return Array.from({ length: words }, (_, index) => {
    const having = found.reduce((sum, one) => sum + (has(one, index) ? 1 : 0), 0);
    return 1 + Math.log((found.length + 1) / (having + 1));
  });
}

/** What a passage tells of the query, as a part of the most that could be told. */
function scoreOf(one: Found, text: string[], words: string[], weights: number[]): number {
  const dilution = saturation * (1 - lengthWeight + (lengthWeight * text.length) / usualLength);
  const counts = new Map<string, number>();
  for (const word of text) counts.set(word, (counts.get(word) ?? 0) + 1);
  const share = (index: number): number => {
    if (!has(one, index)) return 0;
    // The index may know a word from elsewhere, such as a title above.
    const count = Math.max(1, counts.get(words[index] ?? '') ?? 0);
    return count / (count + dilution);
  };
  return sumOf(weights, share) / sumOf(weights, () => 1);
}

async function textsOf(tx: Tx, found: Found[]): Promise<Map<number, string>> {
  const rows = await tx.all<{ seq: number; content: string }>(
    `SELECT seq, content FROM passages WHERE seq IN (${found.map(() => '?').join(', ')})`,
    ...found.map(({ seq }) => seq),
  );
  return new Map(rows.map(({ seq, content }) => [seq, content]));
}

/** The id as one word; the prefix keeps it apart from words that people write. */
const botWord = (botId: string): string => `bot${botId.replace(/[^A-Za-z0-9]/g, '')}`.toLowerCase();
