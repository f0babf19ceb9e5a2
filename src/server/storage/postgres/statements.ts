// Translates the SQL texts of the storage files, which are written for both engines, into those of PostgreSQL.

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

/** Returns a function that translates each text once. */
export function createTranslator(): (sql: string) => Statement {
  const known = new Map<string, Statement>();
  let prepared = 0;
  return (sql) => {
    const found = known.get(sql);
    if (found) return found;
    const name = prepared < maxPrepared ? `webchat_${prepared++}` : undefined;
    const statement = { text: translate(sql), name, isQuery: /^\s*SELECT\b/i.test(sql) };
    // A text with a name is kept for ever, because its name must not get another text.
    if (name !== undefined || known.size < maxTranslated) known.set(sql, statement);
    return statement;
  };
}
