// The parts of SQL that differ between the engines. All other texts of the storage files are the same for both.
import type { Dialect, Parameter, Tx, Value } from './database.ts';

/** A condition with its parameters, in the order of their placeholders. */
export interface Condition {
  sql: string;
  values: Value[];
}

type Engine = Pick<Tx, 'dialect'>;

/**
 * Returns the entry for the engine of `tx`. The compiler reports each place that has none for a new engine, which a
 * comparison with `dialect` would not do. All entries are evaluated: use functions where only one of them may be.
 */
export const forDialect = <T>(tx: Engine, entries: Readonly<Record<Dialect, T>>): T => entries[tx.dialect];

/** Returns the end of a SELECT that locks its rows. SQLite has one writer, so that it needs none. */
export const rowLock = (tx: Engine, lock: `FOR ${string}`): string =>
  forDialect(tx, { sqlite: '', postgres: lock });

/** Sends a statement. */
export type Statement = () => Promise<unknown>;

/**
 * Runs statements that do not need the results of each other, in their order. PostgreSQL gets them without waiting for its
 * responses, and executes none after one that fails. On SQLite each waits for the one before, because a full disk can end the
 * transaction.
 */
export const inOneFlight = (tx: Engine, statements: readonly Statement[]): Promise<void> =>
  forDialect(tx, flightBy)(statements);

const flightBy: Record<Dialect, (statements: readonly Statement[]) => Promise<void>> = {
  async sqlite(statements) {
    for (const statement of statements) await statement();
  },
  async postgres(statements) {
    await Promise.all(statements.map((statement) => statement()));
  },
};

/**
 * Returns the condition that a column has one of these values, with one parameter for all of them, so that the text of
 * the statement does not depend on their number.
 */
export function inList(tx: Engine, column: string, values: readonly (string | number)[]): Condition {
  return forDialect(tx, inListBy)(column, values);
}

const inListBy: Record<Dialect, (column: string, values: readonly (string | number)[]) => Condition> = {
  sqlite: (column, values) => ({
    sql: `${column} IN (SELECT value FROM json_each(?))`,
    values: [JSON.stringify(values)],
  }),
  postgres: (column, values) => ({ sql: `${column} = ANY (?)`, values: [arrayText(values)] }),
};

/** Returns `arrayOf` without the values that contain a NUL: no stored text does, so that no row has such a value. */
export const arrayText = (values: readonly (string | number)[]): string =>
  arrayOf(values.filter((value) => typeof value === 'number' || !value.includes('\0')));

/**
 * Returns the text that PostgreSQL reads as an array with one element for each value, for statements over arrays. Throws
 * for a NUL, which no text of PostgreSQL contains.
 */
export function arrayOf(values: readonly Parameter[]): string {
  const elements = values.map((value) => {
    if (value instanceof Uint8Array) return `"\\\\x${Buffer.from(value).toString('hex')}"`;
    if (typeof value !== 'string') return `${value ?? 'NULL'}`;
    if (value.includes('\0')) throw new Error('A text with a NUL cannot be bound.');
    return `"${value.replace(/["\\]/g, '\\$&')}"`;
  });
  return `{${elements.join(',')}}`;
}

/**
 * Returns JSON that the engine parses. PostgreSQL rejects escapes of NUL and of unpaired surrogates; texts with them
 * are stored nowhere, and equal none after they are replaced.
 */
export function jsonText(tx: Engine, value: unknown): string {
  return forDialect(tx, jsonTextBy)(value);
}

const jsonTextBy: Record<Dialect, (value: unknown) => string> = {
  sqlite: (value) => JSON.stringify(value),
  postgres: (value) =>
    JSON.stringify(value, (_, part: unknown) => (typeof part === 'string' ? storable(part) : part)),
};

const storable = (text: string): string =>
  text.replace(/\0|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd');

/**
 * Returns the expression of the present time of the database in milliseconds since 1970, which all processes share. In
 * PostgreSQL the time at which the statement began, because its snapshot is not older: a lease that is over at that time was
 * not renewed before.
 */
export const databaseTime = (tx: Engine): string =>
  forDialect(tx, {
    sqlite: "CAST(unixepoch('subsec') * 1000 AS INTEGER)",
    postgres: 'CAST(EXTRACT(EPOCH FROM statement_timestamp()) * 1000 AS BIGINT)',
  });
