// Starts one PostgreSQL for all test files of a run, with a template of the databases that they use.
import pg from 'pg';
import { startPostgres } from './scripts/services/postgres.mjs';
import { openPostgres } from './src/server/storage/postgres/postgres.ts';
import { template } from './src/server/storage/postgres/testing.ts';

export default async function setup(): Promise<() => Promise<void>> {
  const { url, urlOf, stop } = await startPostgres();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`CREATE DATABASE ${template}`);
  await client.end();
  await (await openPostgres(urlOf(template))).close();
  process.env.TEST_DATABASE_URL = url;
  return stop;
}
