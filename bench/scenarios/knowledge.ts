// Measures answers from documents: how often an agent is given the passage that answers a question, and whether the source that
// is shown supports the sentence.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import {
  measureCited,
  measurePassages,
  openEvaluation,
  readQuestions,
} from '../../src/server/bots/agents/knowledge/evaluation/testing.ts';
import { openSqlite } from '../../src/server/storage/sqlite.ts';
import type { Case } from '../measure.ts';

/** Worker threads run the TypeScript sources. */
const stripTypes = new URL('../../scripts/strip-types.mjs', import.meta.url).href;

const embedded = {
  embeddings: { model: { kind: 'embedded' as const }, minSimilarity: 0.2, searchTime: 120_000 },
  execArgv: ['--import', stripTypes],
};

const caseOf = (name: string, options?: typeof embedded): Case => ({
  name,
  times: 1,
  async run() {
    const folder = await mkdtemp(join(tmpdir(), 'webchat-bench-'));
    const db = await openSqlite(join(folder, 'platform.db'));
    const evaluation = await openEvaluation(db, pino({ level: 'silent' }), options);
    try {
      const counts = await measurePassages(evaluation);
      const cited = await measureCited(evaluation, await readQuestions());
      return {
        'questions with an answer': [counts.answerable, ''],
        'answer is given': [counts.anyPassage, 'hits'],
        'answer is among the first three': [counts.firstThree, 'hits'],
        'answer is first': [counts.first, 'hits'],
        'questions without an answer': [counts.unanswerable, ''],
        'of them with an uncited source': [counts.shownInVain, ''],
        statements: [cited.statements, ''],
        'supported by the shown source': [cited.supported, 'hits'],
        'found by the tool': [cited.searchedAgain - (counts.answerable - cited.statements), 'hits'],
      };
    } finally {
      await evaluation.close();
      await db.close();
      await rm(folder, { recursive: true });
    }
  },
});

export const knowledgeCases: Case[] = [
  caseOf('answers from documents by words'),
  caseOf('answers from documents by words and vectors', embedded),
];
