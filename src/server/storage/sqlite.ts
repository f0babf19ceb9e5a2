// SQLite as a Database: one connection writes in grouped commits, another reads.
import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';
import { StartError } from '../startup/start-error.ts';
import {
  type Database,
  type Parameter,
  type Reader,
  StorageFull,
  type Tx,
  type WriteTx,
} from './database.ts';
import { migrations } from './migrations.ts';
import { fieldOf, rowOf } from './table.ts';

/** Milliseconds that a first write waits for others, which then share its fsync. */
const batchWindowMs = 2;
/** The maximum number of writes in one commit. Without a limit a batch could grow without end. */
const batchSize = 512;

/** Milliseconds that a statement waits for other processes, such as a backup. */
export const busyTimeoutMs = 5_000;

/** Callbacks of the database: failures and waiting writes. */
export interface SqliteOptions {
  /** A commit with `size` writes begins. The first one has waited for `waitMs`. */
  onBatch?(size: number, waitMs: number): void;
  /** Writes fail because the disk is full, or succeed again. */
  onFull?(isFull: boolean): void;
}

interface Job {
  /** When it was requested, by a monotonic clock. */
  at: number;
  work: (tx: WriteTx) => Promise<unknown>;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

/** Opens (or creates) the database file and brings its schema up to date. Throws StartError for a newer file. */
export async function openSqlite(file: string, options: SqliteOptions = {}): Promise<Database> {
  const DatabaseSync = await sqlite();
  const writer = new DatabaseSync(file);
  writer.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON');
  writer.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
  // Deleted content is overwritten with zeros in its pages.
  writer.exec('PRAGMA secure_delete = ON');
  try {
    migrate(writer, file);
  } catch (error) {
    // Ends the transaction, if one has begun.
    writer.close();
    throw error;
  }
  const reader = new DatabaseSync(file, { readOnly: true });
  reader.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);

  const writes = connection(writer);
  const reads = connection(reader);
  const queue: Job[] = [];
  const fullDisk = createFullDisk(options.onFull);
  let timer: NodeJS.Timeout | undefined;
  let flushing: Promise<void> | undefined;
  let closed = false;

  function schedule(): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      flushing = flush().finally(() => {
        flushing = undefined;
        if (queue.length > 0) schedule();
      });
    }, batchWindowMs);
  }

  /** The rows that were changed since the start. */
  const changes = (): number => writer.prepare('SELECT total_changes() AS changes').get().changes;

  async function flush(): Promise<void> {
    const jobs = queue.splice(0, batchSize);
    options.onBatch?.(jobs.length, performance.now() - (jobs[0]?.at ?? 0));
    const changesBefore = fullDisk.isFull ? changes() : 0;
    const done: { job: Job; value: unknown; effects: (() => void)[] }[] = [];
    try {
      writer.exec('BEGIN IMMEDIATE');
      for (const job of jobs) {
        const effects: (() => void)[] = [];
        writer.exec('SAVEPOINT job');
        try {
          const value = await job.work({ ...writes, afterCommit: (effect) => effects.push(effect) });
          writer.exec('RELEASE job');
          done.push({ job, value, effects });
        } catch (thrown) {
          const error = withStorageFull(thrown);
          // A full disk can roll back the whole transaction by itself. All writes of the batch then fail with it.
          if (!writer.isTransaction) throw error;
          writer.exec('ROLLBACK TO job; RELEASE job');
          fullDisk.failed(error);
          job.reject(error);
        }
      }
      writer.exec('COMMIT');
      if (fullDisk.isFull && changes() > changesBefore) fullDisk.committed();
    } catch (thrown) {
      const error = withStorageFull(thrown);
      fullDisk.failed(error);
      if (writer.isTransaction) writer.exec('ROLLBACK');
      for (const job of jobs) job.reject(error);
      return;
    }
    for (const { job, value, effects } of done) {
      try {
        for (const effect of effects) effect();
        job.resolve(value);
      } catch (error) {
        job.reject(error);
      }
    }
  }

  return {
    isRemote: false,
    isShared: false,
    location: file,
    read: (work) => work(reads),
    waiting: () => queue.length,
    write<T>(work: (tx: WriteTx) => Promise<T>): Promise<T> {
      if (closed) return Promise.reject(new Error('The database is closed.'));
      return new Promise<T>((resolve, reject) => {
        queue.push({ at: performance.now(), work, resolve: (value) => resolve(value as T), reject });
        if (!flushing) schedule();
      });
    },
    async isReady() {
      const row: { user_version: number } = reader.prepare('PRAGMA user_version').get();
      return row.user_version === migrations.length;
    },
    async purge() {
      // Between two batches, because a checkpoint is not possible within a transaction.
      while (flushing !== undefined) await flushing;
      if (closed) return true;
      writer.exec('PRAGMA busy_timeout = 0');
      try {
        const row: { busy: number } = writer.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get();
        return row.busy === 0;
      } finally {
        writer.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
      }
    },
    async close() {
      if (closed) return;
      closed = true;
      while (flushing || timer || queue.length > 0) {
        await (flushing ?? new Promise((resolve) => setTimeout(resolve, batchWindowMs)));
      }
      reader.close();
      // Leaves one file to copy, instead of a file and its log.
      writer.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      writer.close();
    },
  };
}

/** Opens a connection for reading. `location`: of the database. */
export async function openSqliteReader(location: string): Promise<Reader> {
  const DatabaseSync = await sqlite();
  const reader = new DatabaseSync(location, { readOnly: true });
  reader.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
  const reads = connection(reader);
  return { read: (work) => work(reads), close: async () => reader.close() };
}

/** The built-in SQLite of Node 22.16 and later, otherwise the package with the same interface. */
export async function sqlite(): Promise<new (file: string, options?: object) => DatabaseSyncInstance> {
  // A variable, because the types of Node 20 do not contain this module.
  const builtIn = 'node:sqlite';
  // Node 24 writes an ExperimentalWarning to stderr when it loads the module. Other warnings are emitted.
  const emitWarning = process.emitWarning;
  process.emitWarning = ((warning: string | Error, ...rest: never[]) => {
    if (!String(warning).startsWith('SQLite is an experimental feature')) emitWarning(warning, ...rest);
  }) as typeof emitWarning;
  try {
    const module = await import(builtIn).catch(() => undefined);
    // The first versions of the module cannot return rows as lists.
    const isComplete = module?.StatementSync.prototype.setReturnArrays !== undefined;
    return (isComplete ? module : await import('@photostructure/sqlite')).DatabaseSync;
  } finally {
    process.emitWarning = emitWarning;
  }
}

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
    const cachedStatement = statements.get(sql);
    if (cachedStatement) return cachedStatement;
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

/** Milliseconds without a failure after which a successful write ends the state: small writes may fit while others do not. */
const settlingTimeMs = 5_000;

/** SQLITE_FULL, and SQLITE_IOERR_SHMSIZE: the file that is shared with readers cannot grow. */
const fullCodes = [13, 4_874];

/** Returns StorageFull for an error of a full disk, and any other error unchanged. */
export function withStorageFull(error: unknown): unknown {
  const { errcode, message } = error as { errcode?: unknown; message?: unknown };
  const isFull = fullCodes.includes(Number(errcode)) || message === 'database or disk is full';
  return isFull ? new StorageFull('The disk is full.', { cause: error }) : error;
}

/** The state of a full disk, detected from the errors of SQLite. It ends when writes succeed again. */
export interface FullDisk {
  /** A write failed with this error. */
  failed(error: unknown): void;
  /** A commit that has changed rows is on disk. */
  committed(): void;
  readonly isFull: boolean;
}

/** `onFull` is called when the disk is full, and when it has space again. */
export function createFullDisk(onFull: ((isFull: boolean) => void) | undefined): FullDisk {
  let isFull = false;
  let failedAt = 0;
  return {
    failed(error) {
      if (!(error instanceof StorageFull)) return;
      failedAt = performance.now();
      if (!isFull) onFull?.(true);
      isFull = true;
    },
    committed() {
      if (!isFull || performance.now() - failedAt < settlingTimeMs) return;
      isFull = false;
      onFull?.(false);
    },
    get isFull() {
      return isFull;
    },
  };
}
