// SQL of the full-text index of messages and notes, which only members search: FTS5 of SQLite, tsvector of PostgreSQL. A background
// worker adds messages, so that a new message costs no further statement (inbox/text-index.ts).
import { searchedTokensOf, tokensOf } from '../../../protocol/locale/word-splitting.ts';
import type { Tx, WriteTx } from '../database.ts';
import { enqueueDeletion, isBeingDeleted } from '../deletions.ts';
import { arrayText, forDialect, inList, inOneFlight } from '../dialect.ts';
import { periodMs } from '../migrations/cluster.ts';
import { firstWithin } from '../read-bytes.ts';
import { botOfConversation } from '../table.ts';
import { seesConversation, type Viewer } from './visibility.ts';

/** Characters of a word that are compared, and different words of a text: of a longer one, its beginning is found. */
const wordLength = 40;
const maxWords = 5_000;

/** The words of a text, each once. */
const wordsIn = (text: string): string[] => [...new Set(searchedTokensOf(text).map(cut))].slice(0, maxWords);

const cut = (word: string): string => [...word].slice(0, wordLength).join('');

/** The words of a search: a text must have words that begin with each of them. */
export const searchedBeginnings = (q: string, most: number): string[] =>
  [...new Set(tokensOf(q).map(cut))].slice(0, most);

const numberColumn = { sqlite: 'rowid', postgres: 'number' };

/** Distinguishes the word of a workspace from those of texts, which contain only letters, digits and marks (PostgreSQL). */
const scopePrefix = ':';
const scopeWord = (workspaceId: string): string => workspaceId.replace(/[^A-Za-z0-9]/g, '').toLowerCase();

/** The number of index pages that one step of merging writes, which takes a few milliseconds. */
const mergedPages = 64;

/**
 * Creates the index of SQLite, if it is missing. It has no texts: those are in messages and notes. After a move of the data, the index
 * is empty, and the worker adds all texts again.
 */
export async function createTextIndex(tx: WriteTx): Promise<void> {
  await forDialect<() => Promise<unknown>>(tx, {
    sqlite: () =>
      tx.run(
        `CREATE VIRTUAL TABLE IF NOT EXISTS text_words USING fts5
           (scope, words, content = '', contentless_delete = 1, detail = column, prefix = '1 2 3', tokenize = "unicode61 remove_diacritics 0 categories 'L* N* M*'")`,
      ),
    postgres: async () => {},
  })();
  if (await tx.get(`SELECT ${forDialect(tx, numberColumn)} FROM text_words LIMIT 1`)) return;
  if ((await tx.run('DELETE FROM searched_texts')) > 0) await setSearchProgress(tx, 'earlier', '');
}

/** A text of a conversation that is searched. */
export interface SearchedText {
  /** The id of the message or of the note. */
  textId: string;
  isNote: boolean;
  seq: number;
  text: string;
  /** Milliseconds since 1970. */
  createdAt: number;
}

/** Numbers of texts of one millisecond, so that texts are found in the order of time without a sort. */
const numbersOfMs = 1_024;

/** Stores a text, and returns its number. */
async function insertText(
  tx: WriteTx,
  conversationId: string,
  { textId, isNote, seq, createdAt }: SearchedText,
): Promise<number> {
  for (let attempt = 1; ; attempt += 1) {
    // Others choose theirs at the same time. Of very many texts of one time, some have later numbers.
    const number = createdAt * numbersOfMs + Math.floor(Math.random() * numbersOfMs * attempt);
    const changes = await tx.run(
      `INSERT INTO searched_texts (number, conversation_id, text_id, is_note, seq, bot_id)
       VALUES (?, ?, ?, ?, ?, ${botOfConversation}) ON CONFLICT (number) DO NOTHING`,
      ...[number, conversationId, textId, isNote ? 1 : 0, seq, conversationId],
    );
    if (changes > 0) return number;
  }
}

const workspaceOf =
  '(SELECT b.workspace_id FROM conversations c JOIN bots b ON b.id = c.bot_id WHERE c.id = ?)';

/** Adds texts of one conversation, whose lock is held, or replaces their words. */
export async function indexTexts(
  tx: WriteTx,
  conversationId: string,
  texts: readonly SearchedText[],
): Promise<void> {
  const found = await tx.get<{ workspaceId: string | null }>(
    `SELECT ${workspaceOf} AS workspace_id`,
    conversationId,
  );
  if (!found?.workspaceId) return;
  const scope = scopeWord(found.workspaceId);
  await removeTexts(
    tx,
    texts.map(({ textId }) => textId),
  );
  for (const text of texts) {
    const words = wordsIn(text.text);
    const number = await insertText(tx, conversationId, text);
    await forDialect(tx, {
      sqlite: () =>
        tx.run(
          'INSERT INTO text_words (rowid, scope, words) VALUES (?, ?, ?)',
          ...[number, scope, words.join(' ')],
        ),
      postgres: () =>
        tx.run(
          'INSERT INTO text_words (number, words) VALUES (?, array_to_tsvector(?::text[]))',
          ...[number, arrayText([scopePrefix + scope, ...words])],
        ),
    })();
  }
}

/** Whether a message is in the index. The worker adds those that are not. */
export async function isIndexed(tx: Tx, textId: string): Promise<boolean> {
  return (await tx.get('SELECT 1 FROM searched_texts WHERE text_id = ?', textId)) !== undefined;
}

/** Removes texts from the index. Returns their number. */
export async function removeTexts(tx: WriteTx, textIds: readonly string[]): Promise<number> {
  const condition = inList(tx, 'text_id', textIds);
  return removeNumbers(tx, await numbersOf(tx, condition.sql, condition.values, textIds.length));
}

/** Removes a deleted text, and queues the removal of its words from the pages of the index. */
export async function removeDeletedText(tx: WriteTx, textId: string): Promise<void> {
  if ((await removeTexts(tx, [textId])) > 0) await requestCompaction(tx);
}

/** Removes up to `limit` texts of deleted conversations. Returns how many. */
export async function removeTextsOf(
  tx: WriteTx,
  conversationIds: readonly string[],
  limit: number,
): Promise<number> {
  const condition = inList(tx, 'conversation_id', conversationIds);
  const removed = await removeNumbers(tx, await numbersOf(tx, condition.sql, condition.values, limit));
  if (removed > 0) await requestCompaction(tx);
  return removed;
}

/** The id of the index in the deletion queue. */
export const textIndexId = 'texts';

const requestCompaction = (tx: WriteTx): Promise<void> =>
  enqueueDeletion(tx, 'search_index', textIndexId, 'requested');

async function numbersOf(
  tx: Tx,
  condition: string,
  values: readonly (string | number | null)[],
  limit: number,
): Promise<number[]> {
  const rows = await tx.all<{ number: number }>(
    `SELECT number FROM searched_texts WHERE ${condition} LIMIT ?`,
    ...values,
    limit,
  );
  return rows.map(({ number }) => number);
}

async function removeNumbers(tx: WriteTx, numbers: readonly number[]): Promise<number> {
  if (numbers.length === 0) return 0;
  const ofWords = inList(tx, forDialect(tx, numberColumn), numbers);
  const ofTexts = inList(tx, 'number', numbers);
  await inOneFlight(tx, [
    () => tx.run(`DELETE FROM text_words WHERE ${ofWords.sql}`, ...ofWords.values),
    () => tx.run(`DELETE FROM searched_texts WHERE ${ofTexts.sql}`, ...ofTexts.values),
  ]);
  return numbers.length;
}

/**
 * Runs one step of removing the words of removed texts from the pages of the index (SQLite FTS5, "merge"). `isFirst` starts it.
 * Returns true when nothing remains. In PostgreSQL, autovacuum removes them.
 */
export async function compactTextIndex(tx: WriteTx, isFirst: boolean): Promise<boolean> {
  return forDialect(tx, {
    async sqlite() {
      const changes = async () =>
        (await tx.get<{ count: number }>('SELECT total_changes() AS count'))?.count ?? 0;
      const before = await changes();
      await tx.run(
        "INSERT INTO text_words (text_words, rank) VALUES ('merge', ?)",
        isFirst ? -mergedPages : mergedPages,
      );
      // The command itself counts as one change (manual of FTS5).
      return (await changes()) - before < 2;
    },
    postgres: async () => true,
  })();
}

/** A message or note of a conversation that a viewer may see, with the words of a search. */
export interface FoundText {
  number: number;
  conversationId: string;
  textId: string;
  isNote: number;
}

/** The texts with words that begin with each of these, before a number, newest first. */
export async function findTexts(
  tx: Tx,
  viewer: Viewer,
  beginnings: readonly string[],
  before: number,
  limit: number,
): Promise<FoundText[]> {
  const scope = scopeWord(viewer.workspaceId);
  // Words are letters, digits and marks; the quotes prevent operators such as AND and NOT.
  const { match, query } = forDialect(tx, {
    sqlite: {
      match: 'w.text_words MATCH ?',
      query: [`scope : "${scope}"`, ...beginnings.map((word) => `words : "${word}" *`)].join(' AND '),
    },
    postgres: {
      match: 'w.words @@ CAST(? AS tsquery)',
      query: [`'${scopePrefix}${scope}'`, ...beginnings.map((word) => `'${word}':*`)].join(' & '),
    },
  });
  const number = `w.${forDialect(tx, numberColumn)}`;
  const visible = seesConversation(viewer, 't.conversation_id');
  return tx.all(
    `SELECT t.number, t.conversation_id, t.text_id, t.is_note
     FROM text_words w JOIN searched_texts t ON t.number = ${number}
     JOIN conversations c ON c.id = t.conversation_id JOIN bots b ON b.id = c.bot_id AND b.deleted_at IS NULL
     LEFT JOIN messages m ON m.id = t.text_id
     WHERE ${match} AND ${number} < ? AND b.workspace_id = ? AND NOT ${isBeingDeleted('c.owner_id')}
       AND (t.is_note = 1 OR (m.id IS NOT NULL AND m.superseded_by IS NULL)) AND ${visible.sql}
     ORDER BY ${number} DESC LIMIT ?`,
    ...[query, before, viewer.workspaceId, ...visible.values, limit],
  );
}

/** How far the index is; undefined: nothing is known, or nothing is left to do. */
export async function searchProgress(tx: Tx, name: 'earlier' | 'recent'): Promise<string | undefined> {
  const sql = 'SELECT position FROM search_progress WHERE name = ?';
  return (await tx.get<{ position: string }>(sql, name))?.position;
}

/** Stores how far the index is; undefined removes it. */
export async function setSearchProgress(
  tx: WriteTx,
  name: 'earlier' | 'recent',
  position: string | undefined,
): Promise<void> {
  if (position === undefined) await tx.run('DELETE FROM search_progress WHERE name = ?', name);
  else
    await tx.run(
      `INSERT INTO search_progress (name, position) VALUES (?, ?)
       ON CONFLICT (name) DO UPDATE SET position = excluded.position`,
      name,
      position,
    );
}

/** The condition that the last messages of a conversation `c` are not in the index. */
const isBehind = `EXISTS (SELECT 1 FROM messages m WHERE m.conversation_id = c.id AND m.seq > COALESCE(
  (SELECT MAX(t.seq) FROM searched_texts t WHERE t.conversation_id = c.id AND t.is_note = 0), -1))`;

/** A conversation whose last messages may be missing in the index. */
export interface Behind {
  id: string;
  updatedAt: number;
}

/** The conversations that were changed after a time and are behind, those that changed first at first. */
export async function changedAndBehind(tx: Tx, after: number, limit: number): Promise<Behind[]> {
  const { period, periods } = forDialect<{ period: string; periods: number[] }>(tx, {
    sqlite: { period: '', periods: [] },
    postgres: { period: 'AND c.updated_period >= ?', periods: [Math.floor(after / periodMs)] },
  });
  return tx.all(
    `SELECT c.id, c.updated_at FROM bots b JOIN conversations c ON c.bot_id = b.id ${period} AND c.updated_at > ?
     WHERE ${isBehind} ORDER BY c.updated_at, c.id LIMIT ?`,
    ...[...periods, after, limit],
  );
}

/** The ids of the next conversations. */
export async function conversationsAfter(tx: Tx, id: string, limit: number): Promise<string[]> {
  const sql = 'SELECT id FROM conversations WHERE id > ? ORDER BY id LIMIT ?';
  return (await tx.all<{ id: string }>(sql, id, limit)).map((row) => row.id);
}

/** A message that is missing in the index. */
export interface MissingMessage {
  id: string;
  seq: number;
  payload: string;
  createdAt: number;
}

/** Messages of a conversation that are missing in the index: up to that with which they have more than `bytes`. */
export async function missingMessages(
  tx: Tx,
  conversationId: string,
  limit: number,
  bytes: number,
): Promise<MissingMessage[]> {
  const rows = `SELECT n.id, n.seq, octet_length(n.payload) AS bytes FROM messages n
    WHERE n.conversation_id = ? AND n.seq > COALESCE(
      (SELECT MAX(t.seq) FROM searched_texts t WHERE t.conversation_id = ? AND t.is_note = 0), -1)
    ORDER BY n.seq LIMIT ?`;
  return tx.all(
    `SELECT m.id, m.seq, m.payload, m.created_at FROM messages m WHERE m.id IN (${firstWithin(rows, 'w.seq')}) ORDER BY m.seq`,
    ...[conversationId, conversationId, limit, bytes],
  );
}
