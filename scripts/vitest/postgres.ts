// Starts one PostgreSQL for all test files of a run, with a template of the databases that they use.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { uncoveredFiles } from '../../src/server/storage/postgres/covered-files.testing.ts';
import { openPostgres } from '../../src/server/storage/postgres/postgres.ts';
import { template } from '../../src/server/storage/postgres/testing.ts';
import { startPostgres } from '../services/postgres.mjs';

export default async function setup({ vitest }: TestProject): Promise<() => Promise<void>> {
  const { url, urlOf, stop } = await startPostgres();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`CREATE DATABASE ${template}`);
  await client.end();
  await (await openPostgres(urlOf(template))).close();
  process.env.TEST_DATABASE_URL = url;
  // Not the folder of the run, which is removed before this project ends.
  const covered = await mkdtemp(join(tmpdir(), 'covered-'));
  process.env.TEST_COVERED_FOLDER = covered;
  return async () => {
    await stop();
    const uncovered = uncoveredFiles(covered);
    await rm(covered, { recursive: true });
    // A part of the files was named in the command, or tests were selected by their names.
    // The types of Vitest leave this property out.
    const { filenamePattern } = vitest as { filenamePattern?: string[] };
    if (filenamePattern || vitest.config.testNamePattern || process.exitCode) return;
    if (uncovered.length === 0) return;
    console.error(
      `No test has sent a statement of these files to PostgreSQL. Add one to scripts/vitest/files.ts:\n${uncovered.join('\n')}`,
    );
    process.exitCode = 1;
  };
}
