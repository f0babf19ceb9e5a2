// Tests of the evaluation: how often an agent is given the passage that answers, and whether the shown source supports it.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Database } from '../../../../storage/database.ts';
import { openTestDatabase, stripTypes } from '../../../../testing.ts';
import { measureCited, measurePassages, openEvaluation, readQuestions } from './testing.ts';

const logger = pino({ level: 'silent' });
let folder: string;
let db: Database;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'webchat-evaluation-'));
  db = await openTestDatabase(folder);
});
afterEach(async () => {
  await db.close();
  await rm(folder, { recursive: true });
});

test('by words alone, the agent is given most answers', async () => {
  const evaluation = await openEvaluation(db, logger);
  const { answerable, unanswerable, ...counts } = await measurePassages(evaluation);
  expect([answerable, unanswerable]).toEqual([61, 14]);
  expect(counts.anyPassage).toBeGreaterThanOrEqual(42);
  expect(counts.firstThree).toBeGreaterThanOrEqual(37);
  expect(counts.shownInVain).toBeLessThanOrEqual(4);
  await evaluation.close();
});

test('by words and vectors, the agent is given nearly all answers', async () => {
  const evaluation = await openEvaluation(db, logger, {
    embeddings: { model: { kind: 'embedded' }, minSimilarity: 0.2, searchTime: 120_000 },
    execArgv: ['--import', stripTypes],
  });
  try {
    const counts = await measurePassages(evaluation);
    expect(counts.anyPassage).toBeGreaterThanOrEqual(56);
    expect(counts.firstThree).toBeGreaterThanOrEqual(50);
    expect(counts.first).toBeGreaterThanOrEqual(41);
    // Questions that seem to belong here; what does not ask shows nothing.
    expect(counts.shownInVain).toBeLessThanOrEqual(10);
  } finally {
    await evaluation.close();
  }
});

test('a statement has the source that supports it, and an answer that knows nothing shows few', async () => {
  const evaluation = await openEvaluation(db, logger);
  const cited = await measureCited(evaluation, await readQuestions());
  expect(cited.supported).toBe(cited.statements);
  expect(cited.statements).toBeGreaterThanOrEqual(57);
  expect(cited.searchedAgain).toBeGreaterThan(0);
  expect(cited.unknownWithSource).toBeLessThanOrEqual(4);
  await evaluation.close();
});
