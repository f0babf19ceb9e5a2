// SQL of a move: the tables with their columns and primary keys, the rows in batches, and the mark of an unfinished move.
import { createHash } from 'node:crypto';
import { StartError } from '../startup/start-error.ts';
import type { Database, Parameter, Tx, WriteTx } from './database.ts';
import { arrayOf, forDialect } from './dialect.ts';
import { fieldOf } from './table.ts';
import { deleteUsage, type UsageRow, usageColumns, withSums } from './usage.ts';

/** The name of the table that marks the target of an unfinished move. */
export const unfinishedTable = 'unfinished_move';

/** The tables of an object store. */
export const storeTables = ['uploads', 'file_store'];

/** The mark of an unfinished move in the target database: no server starts on it, and only the same move continues with it. */
export interface UnfinishedMove {
  /** The digest of the source: another content has another one. */
  source: string;
  /** How files are moved. */
  files: string;
}

/** Returns the unfinished move, if there is one. */
export async function findUnfinishedMove(tx: Tx): Promise<UnfinishedMove | undefined> {
  const found = await tx.get(
    forDialect(tx, {
      sqlite: "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?",
      postgres: 'SELECT 1 FROM pg_tables WHERE schemaname = current_schema() AND tablename = ?',
    }),
    unfinishedTable,
  );
  if (!found) return undefined;
  return tx.get<UnfinishedMove>(`SELECT source, files FROM ${unfinishedTable}`);
}

export async function beginMove(db: Database, { source, files }: UnfinishedMove): Promise<void> {
  await db.write(async (tx) => {
    await tx.run(`CREATE TABLE ${unfinishedTable} (source TEXT NOT NULL, files TEXT NOT NULL)`);
    await tx.run(`INSERT INTO ${unfinishedTable} (source, files) VALUES (?, ?)`, source, files);
  });
}

/**
 * Removes the mark, so that a server can start on the database. `withoutStore`: the files are no longer in an object
 * store, so the data about the store is removed.
 */
export async function endMove(db: Database, withoutStore: boolean): Promise<void> {
  await db.write(async (tx) => {
    if (withoutStore) for (const table of storeTables) await tx.run(`DELETE FROM ${table}`);
    // SQLite has one writer, which counts in one row.
    if (forDialect(tx, { sqlite: true, postgres: false })) await mergeParts(tx);
    await tx.run(`DROP TABLE ${unfinishedTable}`);
    // The planner of PostgreSQL does not know the new tables yet.
    if (forDialect(tx, { sqlite: false, postgres: true })) await tx.run('ANALYZE');
  });
}

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

/** The other engine builds the full-text indexes again, and each engine counts its migrations in its own way. */
const ownTables = ['passage_words', 'schema_version', 'text_words'];

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
    const movedType = types[type.toLowerCase()];
    if (!movedType)
      throw new Error(`The column ${name}.${column} has the type ${type}, which cannot be moved.`);
    return { name: column, type: movedType };
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
    AND t.name NOT LIKE 'text!_words%' ESCAPE '!'
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

/** Makes one row of all parts of the usage of each bot, which several processes have counted. */
export async function mergeParts(tx: WriteTx): Promise<void> {
  const found = await tx.all<{ id: string }>("SELECT id FROM usage WHERE id LIKE '% %'");
  const botIds = found.flatMap(({ id }) => /^([\w-]+) \d+$/.exec(id)?.slice(1) ?? []);
  for (const botId of new Set(botIds)) {
    const rows = await tx.all<UsageRow>(
      `SELECT ${usageColumns} FROM usage WHERE id >= ? AND id < ? || '!'`,
      botId,
      botId,
    );
    await deleteUsage(tx, botId);
    for (const { id, messages, bytes, files, hour, hourMessages, hourBytes } of withSums(rows))
      await tx.run(
        `INSERT INTO usage (id, messages, bytes, files, hour, hour_messages, hour_bytes) VALUES (?, ?, ?, ?, ?, ?, ?)`,
        id,
        messages,
        bytes,
        files,
        hour,
        hourMessages,
        hourBytes,
      );
  }
}
