// Reads and writes the rows of a table in batches, in the order of its primary key, and compares tables by a digest.
import { createHash } from 'node:crypto';
import { fieldOf } from '../columns/names.ts';
import type { Parameter, Tx, WriteTx } from '../database.ts';
import { arrayOf, forDialect } from '../dialect.ts';
import type { Table } from './tables.ts';

/** A row as its values, in the order of the columns of its table. */
export type Row = Parameter[];

/** The maximum number of rows in a batch, and its approximate maximum of bytes: a message row has up to 1 MB. */
const pieceRows = 5_000;
const pieceBytes = 4_000_000;
/** The number of rows that one statement reads, so that a batch of large rows is not read at once. */
const firstRead = 16;

export interface Piece {
  rows: Row[];
  /** The key of the last row; undefined when no rows follow. */
  next: Parameter[] | undefined;
}

/** The rows after a key, in the order of keys. `after`: undefined for the first ones. */
export async function readPiece(tx: Tx, table: Table, after: Parameter[] | undefined): Promise<Piece> {
  const rows: Row[] = [];
  let bytes = 0;
  let last = after;
  for (
    let limit = firstRead;
    rows.length < pieceRows && bytes < pieceBytes;
    limit = Math.min(limit * 2, 1_000)
  ) {
    const found = await tx.all<Record<string, Parameter>>(
      `SELECT ${namesOf(table)} FROM ${table.name}${last ? ` WHERE (${keyOf(table)}) > (${marks(table.key)})` : ''}
       ORDER BY ${keyOf(table)} LIMIT ${limit}`,
      ...(last ?? []),
    );
    for (const row of found) {
      const values = table.columns.map(({ name }) => row[fieldOf(name)] ?? null);
      rows.push(values);
      for (const value of values) bytes += sizeOf(value);
      last = table.key.map((name) => row[fieldOf(name)] ?? null);
    }
    if (found.length < limit) return { rows, next: undefined };
  }
  return { rows, next: last };
}

/** The key of the last row; undefined for an empty table. */
export async function lastKey(tx: Tx, table: Table): Promise<Parameter[] | undefined> {
  const backwards = table.key.map((name) => `${name} DESC`).join(', ');
  const row = await tx.get<Record<string, Parameter>>(
    `SELECT ${keyOf(table)} FROM ${table.name} ORDER BY ${backwards} LIMIT 1`,
  );
  return row && table.key.map((name) => row[fieldOf(name)] ?? null);
}

/** Whether one statement can insert all rows, as an array for each column. */
const hasArrays = { sqlite: false, postgres: true };

/** Writes rows with all their values. */
export async function insertRows(tx: WriteTx, table: Table, rows: readonly Row[]): Promise<void> {
  const into = `INSERT INTO ${table.name} (${namesOf(table)})`;
  if (!forDialect(tx, hasArrays)) {
    for (const row of rows) await tx.run(`${into} VALUES (${marks(row)})`, ...row);
    return;
  }
  const arrays = table.columns.map(({ type }) => `?::${type}[]`).join(', ');
  const values = table.columns.map((_, index) => arrayOf(rows.map((row) => row[index] ?? null)));
  await tx.run(`${into} SELECT * FROM unnest(${arrays})`, ...values);
}

/** Continues generated numbers after the moved ones. SQLite does this by itself. */
export async function continueNumbers(tx: WriteTx, table: Table): Promise<void> {
  if (forDialect(tx, { sqlite: true, postgres: false })) return;
  const generated = await tx.all<{ name: string }>(
    `SELECT column_name AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND table_name = ? AND is_identity = 'YES'`,
    table.name,
  );
  for (const { name } of generated) {
    await tx.get(
      `SELECT setval(pg_get_serial_sequence(?, ?), GREATEST(MAX(${name}), 1), MAX(${name}) IS NOT NULL)
       FROM ${table.name}`,
      table.name,
      name,
    );
  }
}

/** The values that must be the same after a move. */
export interface TableDigest {
  rows: number;
  /** The SHA-256 of all values of all rows, in the order of keys. */
  sha256: string;
}

export async function digestOf(
  read: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>,
  table: Table,
  signal: AbortSignal,
): Promise<TableDigest> {
  const hash = createHash('sha256');
  let count = 0;
  let after: Parameter[] | undefined;
  do {
    signal.throwIfAborted();
    const from = after;
    const { rows, next } = await read((tx) => readPiece(tx, table, from));
    for (const row of rows) hash.update(`${JSON.stringify(row.map(comparable))}\n`);
    count += rows.length;
    after = next;
  } while (after !== undefined);
  return { rows: count, sha256: hash.digest('hex') };
}

const comparable = (value: Parameter): unknown =>
  value instanceof Uint8Array ? { bytes: Buffer.from(value).toString('base64') } : value;

const namesOf = ({ columns }: Table): string => columns.map(({ name }) => `"${name}"`).join(', ');
const keyOf = ({ key }: Table): string => key.join(', ');
const marks = (values: readonly unknown[]): string => values.map(() => '?').join(', ');

const sizeOf = (value: Parameter): number =>
  typeof value === 'string' || value instanceof Uint8Array ? value.length : 8;
