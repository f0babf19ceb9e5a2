// A table and its rows in the form that the server uses, and how they are stored.
import type { TableSchema } from '../../protocol/types/tables.ts';
import type { StoredRow } from '../storage/tables/rows.ts';
import type { TableRow } from '../storage/tables/tables.ts';
import type { Hold } from './computed/cells.ts';
import { isComputed } from './computed/definitions.ts';
import { canonicalText } from './query/compare.ts';

/** The key of each column in the JSON of a row. */
export interface Layout {
  /** The number of the next key. */
  next: number;
  keys: Record<string, string>;
}

export interface OpenTable {
  record: TableRow;
  schema: TableSchema;
  layout: Layout;
  /** Why cells that need the language model wait. */
  hold?: Hold | undefined;
}

/** The values of columns by name. A missing value is null. */
export type Values = Record<string, unknown>;

export function openTable(record: TableRow): OpenTable {
  return { record, schema: JSON.parse(record.schema), layout: JSON.parse(record.layout) };
}

/** Whether the computed columns of a table are computed: by default when it has some. */
export function isComputeEnabled({ computeEnabled }: TableRow, schema: TableSchema): boolean {
  return computeEnabled === 2 ? Object.values(schema.properties).some(isComputed) : computeEnabled === 1;
}

/**
 * Returns the layout for a schema: columns keep their keys; new columns and those in `cleared` get new keys, so that
 * the data of rows under the old keys is hidden at once.
 */
export function nextLayout({ next, keys }: Layout, schema: TableSchema, cleared: readonly string[]): Layout {
  let number = next;
  const names = Object.keys(schema.properties);
  const entries = names.map((name): [string, string] => {
    const key = Object.hasOwn(keys, name) && !cleared.includes(name) ? keys[name] : undefined;
    return [name, key ?? `c${number++}`];
  });
  return { next: number, keys: Object.fromEntries(entries) };
}

/** Returns an own property, because a column can have the name of an inherited one, such as `constructor`. */
export function ownValue<T>(values: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

/** Returns the values of a row. */
export function valuesOf(table: OpenTable, { data }: Pick<StoredRow, 'data'>): Values {
  const stored: Record<string, unknown> = JSON.parse(data);
  const values: Values = {};
  // No column has the name `__proto__` (columns.ts).
  for (const [name, key] of columnsOf(table)) values[name] = stored[key] ?? null;
  return values;
}

/** Returns the value of a row in one column. */
export function cellOf({ layout }: OpenTable, { data }: Pick<StoredRow, 'data'>, column: string): unknown {
  const key = ownValue(layout.keys, column);
  return key === undefined ? null : (JSON.parse(data)[key] ?? null);
}

const columnLists = new WeakMap<Layout, [name: string, key: string][]>();

/** The columns and their keys, listed once for all rows of a request. */
function columnsOf({ layout }: OpenTable): [name: string, key: string][] {
  const cached = columnLists.get(layout);
  if (cached) return cached;
  const columns = Object.entries(layout.keys);
  columnLists.set(layout, columns);
  return columns;
}

/** Returns the stored JSON of a row, without nulls and without removed columns. */
export function dataOf(table: OpenTable, values: Values): string {
  const data: Record<string, unknown> = {};
  for (const [name, key] of columnsOf(table)) {
    const value = ownValue(values, name);
    if (value !== null && value !== undefined) data[key] = value;
  }
  return JSON.stringify(data);
}

/**
 * Returns the value of the key column of the table as text; null if the table has no key column or the row has no
 * value.
 */
export function keyValueOf({ record }: OpenTable, values: Values): string | null {
  if (record.keyColumn === null) return null;
  const value = ownValue(values, record.keyColumn);
  return value === null || value === undefined ? null : canonicalText(value);
}
