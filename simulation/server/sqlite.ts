// SQLite as the simulation uses it: with its clock, in memory, and with the same two connections for all runs of a worker. A run
// begins with the rows that were there when the first one began: to open a file, to read its schema and to prepare each statement
// again would take as long as everything that a run asks of the database.
import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';

type Row = Record<string, never>;

const { DatabaseSync } = (await import('@photostructure/sqlite')) as unknown as {
  DatabaseSync: new (file: string, options?: { readOnly?: boolean }) => DatabaseSyncInstance;
};

/** The connections that write, by their files. */
const writers = new Map<string, DatabaseSyncInstance>();

/** @param now milliseconds since 1970 of the database */
export function simulatedSqlite(
  now: () => number,
): new (
  file: string,
  options?: { readOnly?: boolean },
) => DatabaseSyncInstance {
  return class extends DatabaseSync {
    readonly #writer: DatabaseSyncInstance | undefined;

    constructor(file: string, options: { readOnly?: boolean } = {}) {
      super(file, options);
      if (options.readOnly) this.#writer = writers.get(file);
      else writers.set(file, this);
      this.function('unixepoch', { varargs: true }, () => now() / 1_000);
    }

    /** Nothing outlives this process, so no commit waits for a disk. */
    override exec(sql: string): void {
      super.exec(sql.replace('synchronous = FULL', 'synchronous = OFF'));
    }

    /**
     * While nothing is being written, both connections see the same rows. The one that writes has them in its cache, of which the
     * other one drops everything after each commit.
     */
    override prepare(sql: string): StatementSyncInstance {
      const writer = this.#writer;
      if (!writer || !/^\s*SELECT\b/.test(sql)) return super.prepare(sql);
      let own: StatementSyncInstance | undefined;
      let other: StatementSyncInstance | undefined;
      let returnsArrays = false;
      const prepared = (of: () => StatementSyncInstance) => {
        const made = of();
        made.setReturnArrays(returnsArrays);
        return made;
      };
      const statement = () => {
        if (!writer.isTransaction) {
          other ??= prepared(() => writer.prepare(sql));
          return other;
        }
        own ??= prepared(() => super.prepare(sql));
        return own;
      };
      return {
        // Called before the statement is prepared.
        setReturnArrays(isTrue: boolean) {
          returnsArrays = isTrue;
        },
        columns: () => statement().columns(),
        get: (...values: never[]) => statement().get(...values),
        all: (...values: never[]) => statement().all(...values),
      } as StatementSyncInstance;
    }
  };
}

/** Returns a function that puts back the rows of an open file as they are now. Nothing may be written at that time. */
export function rowsOf(file: string): () => void {
  const db = writers.get(file) as DatabaseSyncInstance;
  const names = (sql: string) => (db.prepare(sql).all() as { name: string }[]).map(({ name }) => name);
  // The tables of the full-text search are not those of rows. No file is indexed in a simulation.
  const tables = names(
    "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name <> 'sqlite_schema'",
  );
  const filled = db.prepare(
    tables.map((name) => `SELECT '${name}' AS name WHERE EXISTS (SELECT 1 FROM ${name})`).join(' UNION ALL '),
  );
  const emptied = new Map(tables.map((name) => [name, db.prepare(`DELETE FROM ${name}`)]));
  const inserts = (filled.all() as { name: string }[]).flatMap(({ name }) => {
    const columns = names(`SELECT name FROM pragma_table_info('${name}')`);
    const { wr } = db.prepare(`SELECT wr FROM pragma_table_list('${name}')`).get() as { wr: number };
    const isNumbered = names(
      `SELECT name FROM pragma_table_info('${name}') WHERE pk = 1 AND type = 'INTEGER'`,
    ).length;
    if (wr === 0 && isNumbered === 0) columns.push('rowid');
    const rows = db.prepare(`SELECT ${columns} FROM ${name}`).all() as Row[];
    const insert = db.prepare(`INSERT INTO ${name} (${columns}) VALUES (${columns.map(() => '?')})`);
    return rows.map((row) => () => void insert.run(...columns.map((column) => row[column] as never)));
  });
  return () => {
    // No order of the tables, and no zeros in the place of what was deleted.
    db.exec('PRAGMA foreign_keys = OFF; PRAGMA secure_delete = OFF; BEGIN');
    for (const { name } of filled.all() as { name: string }[]) emptied.get(name)?.run();
    for (const insert of inserts) insert();
    db.exec('COMMIT; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON');
  };
}
