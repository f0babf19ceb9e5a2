// Tests of the schema of PostgreSQL: it has the tables, columns and indexes of SQLite, so that no step forgets an engine.
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../database.ts';
import { migrations } from '../migrations.ts';
import { openSqlite } from '../sqlite.ts';
import { usePostgres } from './databases.testing.ts';
import { stepsAfter } from './migrations.ts';
import { openPostgres } from './postgres.ts';

const database = usePostgres();
let sqlite: Database;
let postgres: Database;
beforeEach(async () => {
  sqlite = await openSqlite(join(database.folder(), 'platform.db'));
  postgres = await database.open();
});
afterEach(() => sqlite.close());

interface Column {
  table: string;
  name: string;
  type: string;
  isRequired: number;
  default: string | null;
}

/** Every column of SQLite, with the type that it has in PostgreSQL. */
async function columnsOfSqlite(): Promise<Column[]> {
  const types: Record<string, string> = { TEXT: 'text C', INTEGER: 'bigint', BLOB: 'bytea' };
  const columns = await sqlite.read((tx) =>
    tx.all<Column & { isKey: number }>(
      `SELECT t.name AS "table", c.name, c.type, c."notnull" AS "isRequired", c.dflt_value AS "default", c.pk AS "isKey"
       FROM sqlite_master t JOIN pragma_table_info(t.name) c WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite!_%' ESCAPE '!'`,
    ),
  );
  return columns.map(({ isKey, ...column }) => ({
    ...column,
    type: types[column.type] ?? column.type,
    // A column of a primary key may be null in SQLite, for compatibility with its first versions.
    isRequired: isKey > 0 ? 1 : column.isRequired,
  }));
}

const columnsOfPostgres = () =>
  postgres.read((tx) =>
    tx.all<Column>(
      `SELECT c.table_name AS "table", c.column_name AS "name",
         trim(c.data_type || ' ' || COALESCE(c.collation_name, '')) AS "type",
         CASE c.is_nullable WHEN 'NO' THEN 1 ELSE 0 END AS "isRequired",
         split_part(c.column_default, '::', 1) AS "default"
       FROM information_schema.columns c
       WHERE c.table_schema = 'public' AND c.table_name NOT IN ('schema_version', 'passage_words', 'text_words')
         AND c.is_generated = 'NEVER'`,
    ),
  );

const sorted = <T>(rows: T[]): string[] => rows.map((row) => JSON.stringify(row)).sort();
const parts = ({ table, name, type, isRequired, default: value }: Column) => [
  table,
  name,
  type,
  isRequired,
  value,
];

/**
 * The indexes with other columns than in SQLite, because an entry has at most 2,704 bytes, a function has another name, or
 * each message would change the index.
 */
const ownIndexes = ['conversations_updated', 'file_tags_name', 'table_rows_key', 'requests_bot'];

interface Index {
  table: string;
  /** Null for one that a constraint has created, whose name each engine chooses. */
  name: string | null;
  columns: string;
  isUnique: number;
  condition: string | null;
}

async function indexesOfSqlite(): Promise<Index[]> {
  const indexes = await sqlite.read((tx) =>
    tx.all<Index & { sql: string | null; origin: string }>(
      `SELECT t.name AS "table", i.name, i."unique" AS "isUnique", i.origin, m.sql,
         (SELECT group_concat(name, ', ') FROM (SELECT name FROM pragma_index_info(i.name) ORDER BY seqno)) AS "columns"
       FROM sqlite_master t JOIN pragma_index_list(t.name) i LEFT JOIN sqlite_master m ON m.name = i.name
       WHERE t.type = 'table'`,
    ),
  );
  // The primary key of one column of integers is the table itself.
  const rowids = [
    ['passages', 'seq'],
    ['searched_texts', 'number'],
    ['embedding_models', 'id'],
    ['file_store', 'number'],
    ['vapid_keys', 'id'],
  ].map(([table = '', columns = '']) => ({ table, name: null, columns, isUnique: 1, condition: null }));
  return [
    ...indexes.map(({ table, name, columns, isUnique, sql, origin }) => ({
      table,
      name: origin === 'c' ? name : null,
      columns,
      isUnique,
      condition: /WHERE (.*)$/.exec(sql ?? '')?.[1] ?? null,
    })),
    ...rowids,
  ];
}

const indexesOfPostgres = () =>
  postgres.read((tx) =>
    tx.all<Index>(
      `SELECT t.relname AS "table", CASE WHEN k.oid IS NULL THEN i.relname END AS "name",
         (SELECT string_agg(replace(pg_get_indexdef(x.indexrelid, n, true), '"', ''), ', ' ORDER BY n)
            FROM generate_series(1, x.indnkeyatts) n) AS "columns",
         CASE WHEN x.indisunique THEN 1 ELSE 0 END AS "isUnique",
         pg_get_expr(x.indpred, x.indrelid, true) AS "condition"
       FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class t ON t.oid = x.indrelid
         JOIN pg_namespace s ON s.oid = t.relnamespace LEFT JOIN pg_constraint k ON k.conindid = x.indexrelid
       WHERE s.nspname = 'public' AND t.relname NOT IN ('schema_version', 'passage_words', 'text_words')`,
    ),
  );

describe('the schema of PostgreSQL', () => {
  test('has every table and column of SQLite, with the same types, defaults and NOT NULL', async () => {
    const columns = (await columnsOfPostgres()).map((column) => ({
      ...column,
      default: column.default || null,
    }));
    expect(sorted(columns.map(parts))).toEqual(sorted((await columnsOfSqlite()).map(parts)));
  });

  test('has every index of SQLite, or one of its own for the same purpose', async () => {
    const common = (indexes: Index[]) =>
      sorted(indexes.filter(({ name }) => !ownIndexes.includes(name ?? '')).map(partsOfIndex));
    const partsOfIndex = ({ table, name, columns, isUnique, condition }: Index) => [
      table,
      name,
      columns,
      isUnique,
      condition,
    ];
    const [one, other] = [await indexesOfPostgres(), await indexesOfSqlite()];
    expect(common(one)).toEqual(common(other));
    const ownNames = (indexes: Index[]) =>
      indexes.flatMap(({ name }) => (ownIndexes.includes(name ?? '') ? [name] : [])).sort();
    expect([ownNames(one), ownNames(other)]).toEqual([[...ownIndexes].sort(), [...ownIndexes].sort()]);
  });
});

describe('migrations', () => {
  const connected = async <T>(work: (client: pg.Client) => Promise<T>): Promise<T> => {
    const client = new pg.Client({ connectionString: await database.url() });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  };

  test('a database has the version of SQLite, and opens again without a step', async () => {
    const version = await connected((client) => client.query('SELECT version FROM schema_version'));
    expect(Number(version.rows[0].version)).toBe(migrations.length);
    expect(stepsAfter(migrations.length)).toEqual([]);
    await (await openPostgres(await database.url())).close();
  });

  test('a database of a newer version is rejected in one line', async () => {
    await connected((client) => client.query('UPDATE schema_version SET version = version + 1'));
    try {
      await expect(openPostgres(await database.url())).rejects.toThrow(/^DATABASE_URL: .*newer version/);
    } finally {
      await connected((client) => client.query('UPDATE schema_version SET version = version - 1'));
    }
  });

  test('of many processes that open a new database at once, one creates the schema', async () => {
    const name = `new_${process.pid}`;
    const url = (await database.url()).replace(/[^/]*$/, name);
    await connected((client) => client.query(`CREATE DATABASE ${name} TEMPLATE template0`));
    try {
      const opened = await Promise.all(Array.from({ length: 5 }, () => openPostgres(url)));
      const rows = await opened[0]?.read((tx) => tx.all('SELECT version FROM schema_version'));
      expect(rows).toEqual([{ version: migrations.length }]);
      await Promise.all(opened.map((db) => db.close()));
    } finally {
      await connected((client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`));
    }
  });

  test('a step that fails leaves nothing of the schema', async () => {
    const name = `half_${process.pid}`;
    const url = (await database.url()).replace(/[^/]*$/, name);
    await connected((client) => client.query(`CREATE DATABASE ${name} TEMPLATE template0`));
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      // The schema has a table with this name.
      await client.query('CREATE TABLE row_vectors (a TEXT)');
      await expect(openPostgres(url)).rejects.toThrow('already exists');
      const { rows } = await client.query("SELECT tablename FROM pg_tables WHERE schemaname = 'public'");
      expect(rows).toEqual([{ tablename: 'row_vectors' }]);
    } finally {
      await client.end();
      await connected((admin) => admin.query(`DROP DATABASE ${name} WITH (FORCE)`));
    }
  });
});
