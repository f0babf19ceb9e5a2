// Measures semantic search: how many of the evaluation questions have their answer among the first five results, by
// words, by vectors and by both.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { measureRecall } from '../../src/server/files/search/evaluation/testing.ts';
import { openSqlite } from '../../src/server/storage/sqlite.ts';
import type { Case } from '../measure.ts';

/** Worker threads run the TypeScript sources. */
const stripTypes = new URL('../../scripts/strip-types.mjs', import.meta.url).href;

export const searchCases: Case[] = [
  {
    name: 'search by meaning',
    times: 1,
    async run() {
      const folder = await mkdtemp(join(tmpdir(), 'webchat-bench-'));
      const db = await openSqlite(join(folder, 'platform.db'));
      try {
        const recall = await measureRecall(db, pino({ level: 'silent' }), {
          embeddings: { model: { kind: 'embedded' }, minSimilarity: 0.2 },
          execArgv: ['--import', stripTypes],
        });
        return {
          'recall at 5 by words': [recall.words, ''],
          'recall at 5 by vectors': [recall.vectors, ''],
          'recall at 5 by both': [recall.both, ''],
          duration: [recall.duration, 'ms'],
        };
      } finally {
        await db.close();
        await rm(folder, { recursive: true });
      }
    },
  },
];
