// SQLite as a Database: one connection writes in grouped commits, another reads.
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import type { Database, Reader, WriteTx } from './database.ts';
import { createFullDisk, withStorageFull } from './full-disk.ts';
import { migrations } from './migrations.ts';
import { connection, migrate } from './sqlite-connection.ts';

/** Milliseconds that a first write waits for others, which then share its fsync. */
const batchWindowMs = 2;
/** The maximum number of writes in one commit. Without a limit a batch could grow without end. */
const batchSize = 512;

/** Milliseconds that a statement waits for other processes, such as a backup. */
export const busyTimeoutMs = 5_000;

/** What the database reports while it works. */
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
