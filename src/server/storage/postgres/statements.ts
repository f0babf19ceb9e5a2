// Translates the SQL texts of the storage files, which are written for both engines, into those of PostgreSQL.
import { createHash } from 'node:crypto';

/** A statement as PostgreSQL executes it. */
export interface Statement {
  text: string;
  /** The name under which each connection prepares it; undefined when it is parsed each time. */
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

/** What is not changed: literals, quoted names and comments; then what is. */
const parts = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|\?|\bCROSS JOIN\b/g;

/**
 * Returns the text with `$1`, `$2` … for each `?`. `CROSS JOIN … ON` becomes `JOIN … ON`: it tells SQLite in which order
 * to read tables, and the planner of PostgreSQL decides that by its statistics.
 */
export function translate(sql: string): string {
  let count = 0;
  return sql.replace(parts, (part) => {
    if (part === '?') return `$${++count}`;
    return part === 'CROSS JOIN' ? 'JOIN' : part;
  });
}

/**
 * The name of a prepared statement: of its text, so that no process can execute a statement that another one has prepared
 * under this name in a session that a connection pooler gave to both.
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
    // A text with a name is kept for ever, because its name must not get another text.
    if (name !== undefined || known.size < maxTranslated) known.set(sql, statement);
    return statement;
  };
}
