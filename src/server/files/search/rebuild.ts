// Makes the full-text index of passages that were copied from another database, or indexed by an earlier rule.
import type { Database } from '../../storage/database.ts';
import {
  lastInPassageIndex,
  markPassageWords,
  passagesWithEarlierWords,
  searchedPassages,
} from '../../storage/files/passages.ts';
import { searchedText } from '../indexing/passages.ts';
import { openFullText, type PassageIndex } from './full-text.ts';

/** Passages of one transaction: each has up to a few thousand characters. */
const pieceSize = 200;

/** Adds all passages that are not in the index. Goes on after an interruption. Returns how many it added. */
export async function rebuildFullText(db: Database, signal: AbortSignal): Promise<number> {
  const index = await db.write(openFullText);
  let added = 0;
  let last = await db.read(lastInPassageIndex);
  for (;;) {
    signal.throwIfAborted();
    const after = last;
    const passages = await db.read((tx) => searchedPassages(tx, after, pieceSize));
    if (passages.length === 0) return added;
    await db.write(async (tx) => {
      for (const { seq, botId, ...passage } of passages) {
        if (botId !== null) await index.add(tx, botId, { seq, text: searchedText(passage) });
      }
    });
    added += passages.length;
    last = passages.at(-1)?.seq ?? last;
  }
}

/** Indexes up to `limit` passages again whose words are those of an earlier rule. Returns how many there were. */
export async function indexEarlierPassages(
  db: Database,
  index: PassageIndex,
  limit: number,
): Promise<number> {
  const passages = await db.read((tx) => passagesWithEarlierWords(tx, limit));
  if (passages.length === 0) return 0;
  await db.write(async (tx) => {
    for (const { seq, botId, ...passage } of passages) {
      // It was deleted, or another process was faster.
      if (!(await markPassageWords(tx, seq))) continue;
      // Passages of no file are not found: they are deleted, or another process publishes them.
      if (botId === null) continue;
      await index.remove(tx, seq);
      await index.add(tx, botId, { seq, text: searchedText(passage) });
    }
  });
  return passages.length;
}
