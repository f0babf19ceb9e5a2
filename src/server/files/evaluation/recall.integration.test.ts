// Tests of the evaluation questions: that they share no words with their answers, and that vectors find most answers.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { expect, test } from 'vitest';
import { openTestDatabase, stripTypes } from '../../testing.ts';
import { tokenize } from '../full-text.ts';
import { measureRecall, readDomains } from './testing.ts';

/** Words without a meaning of their own, which occur in most texts. */
const functionWords = new Set(
  tokenize(
    'a about am an and any are as at be before by can did do does for from get has have how i if in is it me my ' +
      'no not of on one or our that the them there they this to want was we what when where which who will with ' +
      'would you your so up out into',
  ),
);

test('there are 60 evaluation questions, and none shares a word of meaning with its answer', async () => {
  const domains = await readDomains();
  const shared: string[] = [];
  for (const { passages, questions } of domains) {
    expect(questions).toHaveLength(15);
    for (const { question, passage } of questions) {
      const words = new Set(tokenize(passages[passage] ?? ''));
      expect(words.size).toBeGreaterThan(0);
      const both = tokenize(question).filter((word) => words.has(word) && !functionWords.has(word));
      if (both.length > 0) shared.push(`${question}: ${both}`);
    }
  }
  expect(shared).toEqual([]);
  expect(domains).toHaveLength(4);
});

test('words and vectors together find most answers that words alone do not find', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'webchat-evaluation-'));
  const db = await openTestDatabase(folder);
  try {
    const recall = await measureRecall(db, pino({ level: 'silent' }), {
      embeddings: { model: { kind: 'embedded' }, minSimilarity: 0.2, searchTime: 120_000 },
      execArgv: ['--import', stripTypes],
    });
    expect(recall.both).toBeGreaterThanOrEqual(0.75);
    expect(recall.both - recall.words).toBeGreaterThanOrEqual(0.4);
  } finally {
    await db.close();
    await rm(folder, { recursive: true });
  }
});
