// Translates SQL texts and values, which are the same for both engines in the storage files, into those of PostgreSQL.
import { createHash } from 'node:crypto';
import type { Parameter } from '../database.ts';

/** A statement as PostgreSQL executes it. */
export interface Statement {
  text: string;
  /** The name of the prepared statement; undefined if it is parsed each time. */
  name: string | undefined;
  /** True for SELECT. Only these are executed by `read`. */
  isQuery: boolean;
}

/**
 * The number of texts that each connection keeps prepared. There are few texts, because values are parameters; further
 * ones are parsed each time.
 */
const maxPrepared = 500;
/** The number of translations that are kept. */
const maxTranslated = 2_000;

/** Matches the parts that stay unchanged (literals, quoted names and comments), then the parts to translate. */
const parts = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|\?|\bCROSS JOIN\b/g;

/**
 * Returns the text with `$1`, `$2` … for each `?`. `CROSS JOIN … ON` becomes `JOIN … ON`: it sets the order in which
 * SQLite reads the tables, while the planner of PostgreSQL uses its statistics.
 */
export function translate(sql: string): string {
  let count = 0;
  return sql.replace(parts, (part) => {
    if (part === '?') return `$${++count}`;
    return part === 'CROSS JOIN' ? 'JOIN' : part;
  });
}

/**
 * The name of a prepared statement is derived from its text. If a connection pooler gives the same session to two
 * processes, none of them can execute a different statement under the same name.
 */
const nameOf = (text: string): string =>
  `webchat_${createHash('sha256').update(text).digest('base64url').slice(0, 22)}`;

/** Returns a function that translates each text once. `prepares`: false where prepared statements are lost (sessions.ts). */
export function createTranslator(prepares = true): (sql: string) => Statement {
  const statements = new Map<string, Statement>();
  let prepared = 0;
  return (sql) => {
    const found = statements.get(sql);
    if (found) return found;
    const text = translate(sql);
    const name = prepares && prepared < maxPrepared ? nameOf(text) : undefined;
    if (name !== undefined) prepared += 1;
    const statement = { text, name, isQuery: /^\s*SELECT\b/i.test(sql) };
    // The translation of a named statement is kept forever, because its name must not get another text.
    if (name !== undefined || statements.size < maxTranslated) statements.set(sql, statement);
    return statement;
  };
}

/** Object ids of types (pg_type.dat of PostgreSQL), which never change. */
const oids = { bool: 16, bytea: 17, int8: 20, int2: 21, int4: 23, numeric: 1700 };

/** Throws for a number that JavaScript would round. A sum of integers is `numeric`. */
function wholeNumber(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number)) throw new Error(`The number ${text} of the database is not exact.`);
  return number;
}

/** The text of a bytea is `\x` and hexadecimal digits. */
function bytesOf(text: string): Uint8Array {
  const buffer = Buffer.from(text.slice(2), 'hex');
  return new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength);
}

/** Conversions of values from PostgreSQL, as the interface of storage demands (database.ts). */
const parsers = new Map<number, (text: string) => unknown>([
  [oids.bool, (text) => (text === 't' ? 1 : 0)],
  [oids.bytea, bytesOf],
  [oids.int8, wholeNumber],
  [oids.int2, Number],
  [oids.int4, Number],
  [oids.numeric, wholeNumber],
]);

const asText = (text: string): string => text;

/** How `pg` reads columns: all other types as their text. */
export const columnTypes = { getTypeParser: (oid: number) => parsers.get(oid) ?? asText } as const;

/** Rejects texts with a NUL, which PostgreSQL does not store. `pg` encodes an unpaired surrogate as U+FFFD. */
export function checkedValues(values: Parameter[]): Parameter[] {
  if (values.some((value) => typeof value === 'string' && value.includes('\0'))) {
    throw new Error('A text with a NUL cannot be bound.');
  }
  return values;
}
