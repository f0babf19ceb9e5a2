// Databases for tests on the PostgreSQL that scripts/vitest/postgres.ts has started. A test takes one that is empty, and leaves it
// empty for the next test, because the creation of a database takes half a second.
import type pg from 'pg';
import { KeptClient, keepConnections } from './kept-connections.testing.ts';

/** True in tests that run on PostgreSQL instead of SQLite (vitest.config.ts). */
export const isPostgresTest = (): boolean => process.env.TEST_DATABASE === 'postgres';

if (isPostgresTest()) keepConnections();

/** The name of the database that is copied: one with the schema and nothing else. */
export const template = 'template_webchat';

interface Databases {
  /** The names of databases that are not in use. */
  free: string[];
  /** The names of the others, by data folder. */
  used: Map<string, string>;
  created: number;
  /** The tables and columns of a new one. */
  schema: string;
}

/** The databases of all test files of this process, which share their modules (scripts/vitest/setup.ts). */
const databases: Databases = { free: [], used: new Map(), created: 0, schema: '' };

/** The address of a database of the server of this run. */
function urlOf(database: string): string {
  const url = process.env.TEST_DATABASE_URL;
  if (!url) throw new Error('Tests on PostgreSQL run by `npm run test:postgres`.');
  return url.replace(/[^/]*$/, database);
}

async function connected<T>(database: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new KeptClient({ connectionString: urlOf(database) });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/**
 * The address of the database that belongs to a data folder; the first call takes an empty one.
 *
 * @param isNew - Takes one that no test has used: PostgreSQL keeps the statistics of rows that were removed.
 */
export async function testDatabaseOf(folder: string, isNew = false): Promise<string> {
  let name = databases.used.get(folder);
  if (name === undefined) {
    name = (isNew ? undefined : databases.free.pop()) ?? (await createDatabase());
    databases.used.set(folder, name);
  }
  return urlOf(name);
}

async function createDatabase(): Promise<string> {
  databases.created += 1;
  const name = `test_${process.pid}_${databases.created}`;
  await connected('postgres', (client) => client.query(`CREATE DATABASE ${name} TEMPLATE ${template}`));
  databases.schema ||= await connected(name, schemaOf);
  return name;
}

/** The tables with their columns. `information_schema` takes ten times as long. */
async function schemaOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ schema: string | null }>(
    `SELECT string_agg(t.relname || '.' || c.attname, ' ' ORDER BY t.relname, c.attnum) AS schema
     FROM pg_class t JOIN pg_attribute c ON c.attrelid = t.oid AND c.attnum > 0 AND NOT c.attisdropped
     WHERE t.relnamespace = 'public'::regnamespace AND t.relkind IN ('r', 'p', 'v')`,
  );
  return rows[0]?.schema ?? '';
}

/** Empties the database of a data folder, if there is one. It must be closed. One that a test has altered is dropped. */
export async function releaseTestDatabase(folder: string): Promise<void> {
  const name = databases.used.get(folder);
  if (name === undefined) return;
  databases.used.delete(folder);
  const isReusable = await connected(name, async (client) => {
    if ((await schemaOf(client)) !== databases.schema) return false;
    const { rows } = await client.query<{ emptying: string }>(
      `SELECT string_agg(format('DELETE FROM %I', tablename), ';') AS emptying FROM pg_tables
       WHERE schemaname = 'public' AND tablename <> 'schema_version'`,
    );
    await client.query(rows[0]?.emptying ?? '');
    await client.query("SELECT setval(oid, 1, false) FROM pg_class WHERE relkind = 'S'");
    return true;
  });
  if (isReusable) databases.free.push(name);
  else await connected('postgres', (client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`));
}
