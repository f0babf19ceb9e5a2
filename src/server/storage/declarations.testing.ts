// Compares the declarations of tables with the schema of a database.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Tx } from './database.ts';
import { forDialect } from './dialect.ts';
import { columnOf, declaredTables } from './table.ts';

/** A column as `name type`, with `null` if it may be null and `default` if it has one. */
export type ColumnText = string;

const storage = import.meta.dirname;

/** The columns of all declared tables, sorted, by the names of the tables. */
export async function declaredColumns(): Promise<Record<string, ColumnText[]>> {
  const files = readdirSync(storage, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !/test|contract|postgres\/|migrations/.test(file),
  );
  for (const file of files) await import(join(storage, file));
  return Object.fromEntries(
    declaredTables.map(({ name, read, others }) => [
      name,
      Object.entries({ ...read, ...others })
        .map(([field, { type, isNullable, hasDefault }]) =>
          textOf(columnOf(field), type, isNullable, hasDefault),
        )
        .sort(),
    ]),
  );
}

interface StoredColumn {
  tableName: string;
  name: string;
  type: string;
  isNullable: number;
  hasDefault: number;
}

const types: Record<string, string> = { TEXT: 'text', INTEGER: 'bigint', BLOB: 'bytea' };

/** The columns of these tables, as `declaredColumns` returns them. */
export async function storedColumns(tx: Tx, names: readonly string[]): Promise<Record<string, ColumnText[]>> {
  const columns = await tx.all<StoredColumn>(forDialect(tx, { sqlite, postgres }));
  return Object.fromEntries(
    names.map((table) => [
      table,
      columns
        .filter(({ tableName }) => tableName === table)
        .map(({ name, type, isNullable, hasDefault }) =>
          textOf(name, types[type] ?? type, isNullable === 1, hasDefault === 1),
        )
        .sort(),
    ]),
  );
}

const textOf = (name: string, type: string, isNullable: boolean, hasDefault: boolean): ColumnText =>
  `${name} ${type}${isNullable ? ' null' : ''}${hasDefault ? ' default' : ''}`;

const sqlite = `SELECT t.name AS table_name, c.name, c.type,
    CASE WHEN c."notnull" = 0 AND c.pk = 0 THEN 1 ELSE 0 END AS is_nullable,
    CASE WHEN c.dflt_value IS NULL THEN 0 ELSE 1 END AS has_default
  FROM sqlite_master t JOIN pragma_table_info(t.name) c WHERE t.type = 'table'`;

// Generated columns follow from others.
const postgres = `SELECT table_name, column_name AS name, data_type AS type,
    CASE is_nullable WHEN 'YES' THEN 1 ELSE 0 END AS is_nullable,
    CASE WHEN column_default IS NULL THEN 0 ELSE 1 END AS has_default
  FROM information_schema.columns WHERE table_schema = 'public' AND is_generated = 'NEVER'`;
