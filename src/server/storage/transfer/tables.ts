// The tables that a move copies, with their columns and primary keys, which are the same on both engines.
import { StartError } from '../../startup/start-error.ts';
import type { Tx } from '../database.ts';
import { forDialect } from '../dialect.ts';

export interface Column {
  name: string;
  type: 'text' | 'bigint' | 'bytea';
}

export interface Table {
  name: string;
  /** In the order of their names, which is the same on both engines. */
  columns: Column[];
  /** The columns of the primary key, in its order: rows are read and written in this order. */
  key: string[];
}

interface CatalogRow {
  table: string;
  column: string;
  type: string;
  /** The position in the primary key, from 1; 0 for other columns. */
  keyPosition: number;
}

/** The other engine builds the full-text index again, and each engine counts its migrations in its own way. */
const ownTables = ['passage_words', 'schema_version'];

/** Tables with data of running processes. A move needs a stopped server. */
export const temporaryTables = [
  'bot_stream_pieces',
  'bot_streams',
  'database_run',
  'delivery_leases',
  'leases',
  'open_streams',
  'processes',
  'shared_usage',
];

/** The name of the table that marks the target of an unfinished move (unfinished.ts). */
export const unfinishedTable = 'unfinished_move';

const types: Record<string, Column['type']> = {
  text: 'text',
  integer: 'bigint',
  bigint: 'bigint',
  blob: 'bytea',
  bytea: 'bytea',
};

/** All tables with rows that a server must not lose. */
export async function listTables(tx: Tx): Promise<Table[]> {
  const rows = await tx.all<CatalogRow>(forDialect(tx, { sqlite: sqliteCatalog, postgres: postgresCatalog }));
  const tables = new Map<string, CatalogRow[]>();
  for (const row of rows) {
    if ([...ownTables, ...temporaryTables, unfinishedTable].includes(row.table)) continue;
    tables.set(row.table, [...(tables.get(row.table) ?? []), row]);
  }
  return [...tables].map(([name, columns]) => toTable(name, columns));
}

function toTable(name: string, rows: CatalogRow[]): Table {
  const columns = rows.map(({ column, type }) => {
    const known = types[type.toLowerCase()];
    if (!known) throw new Error(`The column ${name}.${column} has the type ${type}, which cannot be moved.`);
    return { name: column, type: known };
  });
  const key = rows
    .filter(({ keyPosition }) => keyPosition > 0)
    .sort((one, other) => one.keyPosition - other.keyPosition)
    .map(({ column }) => column);
  if (key.length === 0) throw new Error(`The table ${name} has no primary key, so it cannot be moved.`);
  return { name, columns, key };
}

/**
 * Returns the tables that are copied. A table that only one of the databases has contains data that may be lost
 * (UNLOGGED tables of PostgreSQL are not listed at all). Throws StartError when the columns of a table differ.
 */
export function commonTables(source: readonly Table[], target: readonly Table[]): Table[] {
  const others = new Map(target.map((table) => [table.name, table]));
  return source.flatMap((table) => {
    const other = others.get(table.name);
    if (!other) return [];
    if (JSON.stringify(other) !== JSON.stringify(table)) {
      throw new StartError(`The table ${table.name} has other columns in the other database.`);
    }
    return [table];
  });
}

// Virtual tables, such as the full-text index, and their parts have no type of columns or begin with the same name.
const sqliteCatalog = `
  SELECT t.name AS "table", c.name AS "column", c.type, c.pk AS key_position
  FROM sqlite_master t JOIN pragma_table_info(t.name) c
  WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite!_%' ESCAPE '!' AND t.name NOT LIKE 'passage!_%' ESCAPE '!'
  ORDER BY t.name, c.name`;

// UNLOGGED tables ('u') contain data that may be lost. Generated columns follow from others.
const postgresCatalog = `
  SELECT t.relname::text AS "table", a.attname::text AS "column", format_type(a.atttypid, NULL) AS type,
    COALESCE(array_position(k.conkey, a.attnum), 0) AS key_position
  FROM pg_class t
  JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
    AND a.attgenerated = ''
  LEFT JOIN pg_constraint k ON k.conrelid = t.oid AND k.contype = 'p'
  WHERE t.relnamespace = 'public'::regnamespace AND t.relkind = 'r' AND t.relpersistence = 'p'
  ORDER BY t.relname::text COLLATE "C", a.attname::text COLLATE "C"`;
