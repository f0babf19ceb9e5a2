// What every driver of SQLite shares: a connection with prepared statements, and the migrations of a file.
import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';
import { StartError } from '../startup/start-error.ts';
import { fieldOf, rowOf } from './columns/names.ts';
import type { Parameter, Tx, WriteTx } from './database.ts';
import { migrations } from './migrations.ts';

/**
 * The maximum number of prepared statements per connection. There are few SQL texts, because values of requests are
 * bound as parameters and lists as JSON. SQLite frees the memory of a statement only when its handle is
 * garbage-collected.
 */
const maxPrepared = 500;

/** A prepared statement, and the names of its values in rows. */
interface Prepared {
  statement: StatementSyncInstance;
  fields: readonly string[];
}

/** One connection as a transaction, with its statements prepared once. */
export function connection(db: DatabaseSyncInstance): Omit<WriteTx, 'afterCommit'> & Tx {
  const statements = new Map<string, Prepared>();
  const prepared = (sql: string): Prepared => {
    const known = statements.get(sql);
    if (known) return known;
    const statement = db.prepare(sql);
    statement.setReturnArrays(true);
    // Drops the oldest one. If it is still in use, it is prepared again.
    const [oldest] = statements.size < maxPrepared ? [] : statements.keys();
    if (oldest !== undefined) statements.delete(oldest);
    const added = { statement, fields: statement.columns().map(({ name }) => fieldOf(name)) };
    statements.set(sql, added);
    return added;
  };
  return {
    dialect: 'sqlite',
    async get<Row>(sql: string, ...values: Parameter[]) {
      const { statement, fields } = prepared(sql);
      const found: unknown[] | undefined = statement.get(...withoutNul(values));
      return found && rowOf<Row>(fields, found);
    },
    async all<Row>(sql: string, ...values: Parameter[]) {
      const { statement, fields } = prepared(sql);
      const found: unknown[][] = statement.all(...withoutNul(values));
      return found.map((row) => rowOf<Row>(fields, row));
    },
    run: async (sql, ...values) => prepared(sql).statement.run(...withoutNul(values)).changes,
    // There is no other writer.
    lock: async () => {},
  };
}

/**
 * Rejects texts with a NUL, because SQLite binds a text only up to its first NUL, so it would store or find another
 * text.
 */
function withoutNul(values: Parameter[]): Parameter[] {
  if (values.some((value) => typeof value === 'string' && value.includes('\0'))) {
    throw new Error('A text with a NUL cannot be bound.');
  }
  return values;
}

/**
 * Applies the migrations that the file does not have, in one transaction: the file is upgraded completely or not at all, and
 * a new one waits for the disk once. `user_version` counts them.
 */
export function migrate(db: DatabaseSyncInstance, file: string): void {
  const row: { user_version: number } = db.prepare('PRAGMA user_version').get();
  if (row.user_version > migrations.length) {
    throw new StartError(`The database ${file} was written by a newer version of this server.`);
  }
  const missing = migrations.slice(row.user_version);
  if (missing.length === 0) return;
  db.exec(`BEGIN; ${missing.join(';')}; PRAGMA user_version = ${migrations.length}; COMMIT`);
}
