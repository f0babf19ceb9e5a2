// Translates the SQL texts of the storage files, which are written for both engines, into those of PostgreSQL.
import { createHash } from 'node:crypto';

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
  const known = new Map<string, Statement>();
  let prepared = 0;
  return (sql) => {
    const found = known.get(sql);
    if (found) return found;
    const text = translate(sql);
    const name = prepares && prepared < maxPrepared ? nameOf(text) : undefined;
    if (name !== undefined) prepared += 1;
    const statement = { text, name, isQuery: /^\s*SELECT\b/i.test(sql) };
    // The translation of a named statement is kept forever, because its name must not get another text.
    if (name !== undefined || known.size < maxTranslated) known.set(sql, statement);
    return statement;
  };
}
