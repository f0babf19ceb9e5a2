// Tables, each declared once: the type of a row, its list of columns, inserts and updates follow from the declaration. A test
// compares all declarations with the schemas of both engines (declarations.testing.ts).
import type { Parameter, Value, WriteTx } from './database.ts';
import { rowsStatement } from './json-rows.ts';

/** A column. `IsOptional`: a new row need not have it, because it is null then, or has the default of the schema. */
export interface Column<Value, IsOptional extends boolean = boolean> {
  readonly type: 'text' | 'bigint' | 'bytea';
  readonly isNullable: boolean;
  readonly hasDefault: boolean;
  /** An insert reads the value by this SQL, whose parameter is the value of `field`, unless the row has one. */
  readonly source?: { readonly sql: string; readonly field: string };
  /** Only types. */
  readonly value?: Value;
  readonly isOptional?: IsOptional;
}

export const text: Column<string, false> = { type: 'text', isNullable: false, hasDefault: false };
export const integer: Column<number, false> = { type: 'bigint', isNullable: false, hasDefault: false };

/** A text that is one of few. */
export const textOf = <Value extends string>(): Column<Value, false> => text as Column<Value, false>;
/** A number that is one of few. */
export const integerOf = <Value extends number>(): Column<Value, false> => integer as Column<Value, false>;

export const orNull = <Value>(column: Column<Value>): Column<Value | null, true> =>
  ({ ...column, isNullable: true }) as Column<Value | null, true>;
/** A column with a default in the schema. */
export const withDefault = <Value>(column: Column<Value>): Column<Value, true> =>
  ({ ...column, hasDefault: true }) as Column<Value, true>;

/** SQL of the bot of a conversation, for a row that belongs to it; null if it does not exist. Its parameter is the id. */
export const botOfConversation = '(SELECT bot_id FROM conversations WHERE id = ?)';
/** The bot of the conversation of a row. */
export const conversationBot: Column<string | null, true> = {
  ...orNull(text),
  source: { sql: botOfConversation, field: 'conversationId' },
};

/** Columns by their names in rows. */
type Columns = Readonly<Record<string, Column<unknown>>>;

/** A declared table. */
export interface Table<Read extends Columns = Columns, Others extends Columns = Columns> {
  readonly name: string;
  /** The columns of a row. */
  readonly read: Read;
  /** The columns that are not read with a row. */
  readonly others: Others;
  /** The names in rows of all columns. */
  readonly fields: readonly string[];
  /** The columns of a row, as a list in a statement. `table`: the alias of the table with a dot, if it has one. */
  columns(table?: string): string;
}

type Values<Of extends Columns> = {
  [Field in keyof Of]: Of[Field] extends Column<infer Value> ? Value : never;
};
type Optional<Of extends Columns> = {
  [Field in keyof Of]: Of[Field] extends Column<unknown, true> ? Field : never;
}[keyof Of];
type Nullable<Of extends Columns> = {
  [Field in keyof Of]: Of[Field] extends Column<infer Value> ? (null extends Value ? Field : never) : never;
}[keyof Of];
type All<T extends Table> = T['read'] & T['others'];

/** A row as it is read. */
export type RowOf<T extends Table> = Values<T['read']>;
/** A new row: columns that are null or have a default may be left out. */
export type NewRowOf<T extends Table> = Omit<Values<All<T>>, Optional<All<T>>> &
  Partial<Pick<Values<All<T>>, Optional<All<T>>>>;

/** The tables of the modules that were imported, for the test of their declarations. */
export const declaredTables: Table[] = [];

/** Values that columns of a row equal. */
type KeyOf<T extends Table> = { [Field in keyof All<T>]?: NonNullable<Values<All<T>>[Field]> };

/** Declares a table. `others`: the columns that only some statements read or write. */
export function defineTable<Read extends Columns, Others extends Columns = Readonly<Record<never, never>>>(
  name: string,
  read: Read,
  others: Others = {} as Others,
): Table<Read, Others> {
  const listed = Object.keys(read);
  const table = {
    name,
    read,
    others,
    fields: [...listed, ...Object.keys(others)],
    columns: (alias = '') => columnList(listed, alias),
  };
  declaredTables.push(table);
  return table;
}

/** Texts of statements by what determines them. There are few, because the fields of rows are written in the code. */
const texts = new Map<string, string>();

function textFor(key: string, write: () => string): string {
  const cachedText = texts.get(key);
  if (cachedText !== undefined) return cachedText;
  const written = write();
  texts.set(key, written);
  return written;
}

/** The fields of the table that a row has. */
const fieldsIn = (table: Table, row: object): string[] =>
  table.fields.filter((field) => (row as Record<string, unknown>)[field] !== undefined);
const valuesOf = (fields: readonly string[], row: object): Parameter[] =>
  fields.map((field) => (row as Record<string, Parameter>)[field] as Parameter);

const sourceOf = (table: Table, field: string): Column<unknown>['source'] =>
  (table.read[field] ?? table.others[field])?.source;

/** Inserts a row. `onConflict`: the end of the statement. Returns how many rows were changed. */
export function insert<T extends Table>(
  tx: WriteTx,
  table: T,
  row: NewRowOf<T>,
  onConflict = '',
): Promise<number> {
  const written = fieldsIn(table, row);
  const read = table.fields.filter((field) => sourceOf(table, field) && !written.includes(field));
  const fields = [...written, ...read];
  const sql = textFor(`insert ${table.name} ${fields} ${onConflict}`, () => {
    const marks = [...written.map(() => '?'), ...read.map((field) => sourceOf(table, field)?.sql)];
    return `INSERT INTO ${table.name} (${columnList(fields)}) VALUES (${marks.join(', ')}) ${onConflict}`;
  });
  const valueFields = [...written, ...read.map((field) => sourceOf(table, field)?.field ?? field)];
  return tx.run(sql, ...valuesOf(valueFields, row));
}

/** Changes the fields in `changes` of the rows that have all values of `key`. Returns how many there are. */
export function update<T extends Table>(
  tx: WriteTx,
  table: T,
  key: KeyOf<T>,
  changes: Partial<Values<All<T>>>,
): Promise<number> {
  const changed = fieldsIn(table, changes);
  if (changed.length === 0) return Promise.resolve(0);
  const keys = fieldsIn(table, key);
  const sql = textFor(`update ${table.name} ${changed} of ${keys}`, () => {
    const equal = (fields: readonly string[]) => fields.map((field) => `${columnOf(field)} = ?`);
    return `UPDATE ${table.name} SET ${equal(changed).join(', ')} WHERE ${equal(keys).join(' AND ')}`;
  });
  return tx.run(sql, ...valuesOf(changed, changes), ...valuesOf(keys, key));
}

/** The names and types of columns, for rows that a statement gets as one parameter (`rowsStatement`). */
export const typedColumns = <T extends Table>(table: T, fields: readonly (keyof All<T> & string)[]): string =>
  fields.map((field) => `${columnOf(field)} ${(table.read[field] ?? table.others[field])?.type}`).join(', ');

/** A row with all columns of its table: those that may be null can be left out. */
type WholeRowOf<T extends Table> = Omit<Values<All<T>>, Nullable<All<T>>> &
  Partial<Pick<Values<All<T>>, Nullable<All<T>>>>;

/** Returns a function that inserts any number of rows by one statement. */
export function insertOfRows<T extends Table>(
  table: T,
): (tx: WriteTx, rows: readonly WholeRowOf<T>[]) => Promise<number> {
  const { fields } = table;
  const columns = columnList(fields);
  const inserted = rowsStatement(
    typedColumns(table, fields),
    (rows) => `INSERT INTO ${table.name} (${columns}) SELECT ${columns} FROM ${rows} given`,
  );
  return (tx, rows) =>
    tx.run(
      ...inserted(
        tx,
        rows.map((row) => valuesOf(fields, row).map((value = null) => value as Value)),
      ),
    );
}

/**
 * The name in rows of a column, or of an alias. A digit after an underscore stays as it is. Columns are named `user_id` in SQL
 * and `userId` in rows: the drivers rename them when they read.
 */
export const fieldOf = (column: string): string =>
  column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** The column of a name in rows. */
export const columnOf = (field: string): string =>
  field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/**
 * Returns a row with its values in the order of `fields`. Drivers read rows as lists: this is faster than an object of the
 * driver, whose names have to be copied from the database for each row.
 */
export function rowOf<Row>(fields: readonly string[], values: readonly unknown[]): Row {
  const row: Record<string, unknown> = {};
  for (let index = 0; index < fields.length; index += 1) row[fields[index] as string] = values[index];
  return row as Row;
}

/** The columns of these names in rows, as a list in a statement. `table`: the alias of their table with a dot, if it has one. */
export const columnList = (fields: readonly string[], table = ''): string =>
  fields.map((field) => table + columnOf(field)).join(', ');
