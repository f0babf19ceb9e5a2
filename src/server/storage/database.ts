// The interface of storage, which is the same for every database engine (database.contract.ts tests implementations).
import type { LockName } from './locks.ts';

/**
 * A value of an SQL parameter or column. JSON is text, a boolean is 0 or 1, an instant is milliseconds since 1970. A text
 * that contains NUL is rejected, also as a parameter of a query. Instead of an unpaired surrogate, U+FFFD is read. Numbers
 * are integers; reading one beyond ±(2^53 - 1) is rejected, because it would be rounded.
 */
export type Value = string | number | null;

/** A parameter: bytes are read as a Uint8Array. */
export type Parameter = Value | Uint8Array;

/** The engine, for the few statements that differ (dialect.ts). */
export type Dialect = 'sqlite' | 'postgres';

/**
 * Reads. Parameters are `?`; each statement sees one committed state (READ COMMITTED). The column or alias `user_id` is `userId` in
 * a row (table.ts).
 */
export interface Tx {
  readonly dialect: Dialect;
  /** Returns the first row, or undefined. In a write it also runs `INSERT ... RETURNING`. */
  get<Row>(sql: string, ...values: Parameter[]): Promise<Row | undefined>;
  all<Row>(sql: string, ...values: Parameter[]): Promise<Row[]>;
}

/** Reads and writes of one transaction. */
export interface WriteTx extends Tx {
  /**
   * Waits until no other work holds one of these locks, and holds them until the end of this work, in the order of
   * locks.ts. A work must take a lock before it reads what it compares or counts, and before it writes anything. Taking a
   * held lock again has no effect. SQLite has one writer, so that it returns at once.
   */
  lock(...names: LockName[]): Promise<void>;
  /** Runs a statement and returns the number of rows it changed. */
  run(sql: string, ...values: Parameter[]): Promise<number>;
  /**
   * Registers a callback that runs when this transaction is on disk. Callbacks run in the order of transactions, before
   * `write` resolves, and never after a rollback. Signals are published to streams only in such callbacks.
   */
  afterCommit(effect: () => void): void;
}

/** The disk has no space for a write: nothing of it was stored. It can be repeated later. */
export class StorageFull extends Error {
  override name = 'StorageFull';
}

/**
 * The database cannot be reached, or does not answer. Nothing of the write was stored, unless `isUnknown`: then nobody can
 * say, and an Idempotency-Key makes it safe to repeat the request.
 */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable';
  readonly isUnknown: boolean;

  constructor(message: string, { isUnknown = false, cause }: { isUnknown?: boolean; cause?: unknown } = {}) {
    super(message, { cause });
    this.isUnknown = isUnknown;
  }
}

/**
 * Whether a write failed for a reason that has nothing to do with what it writes. By name, because the error of a bot comes
 * from another thread.
 */
export const isOfDatabase = (error: unknown): boolean =>
  error instanceof Error && (error.name === StorageFull.name || error.name === DatabaseUnavailable.name);

export interface Database {
  /**
   * Each statement is a round trip to another process: frequent reads and writes are worth being gathered
   * (groups.ts), and a long transaction holds up others.
   */
  readonly isRemote: boolean;
  /** Several processes can use it at the same time. They share its clock. */
  readonly isShared: boolean;
  /** The argument of `openReader` (open.ts) in a worker thread, with which it reads the same data. */
  readonly location: string;
  /** May resolve without a turn of the event loop, as SQLite does: a loop of many reads must let timers run by itself. */
  read<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * Runs `work` in one transaction, and resolves when its changes are on disk. Timers can run before it resolves, so that a
   * loop of writes does not block them. When `work` throws, its changes are rolled
   * back and `write` rejects with that error.
   *
   * `work` may run again from its beginning, after a conflict with another writer or a lost connection: it must have no
   * effect except by its `tx`. The changes and the callbacks of an unfinished run are dropped. It must not await anything
   * except calls of its `tx`, and not use the `tx` when it has ended.
   *
   * Other writes can run at the same time. A work relies on what it has read only under a lock (`lock`), by a condition
   * of a writing statement, or by a unique key: an insert that violates one lets the work run again, and then it finds
   * the row. SQLite runs one write after the other, in the order of the calls.
   */
  write<T>(work: (tx: WriteTx) => Promise<T>): Promise<T>;
  /** How many writes and statements wait for a connection now, or for the write before them. */
  waiting(): number;
  /** Whether the database has the schema of this version. Rejects when it does not answer. */
  isReady(): Promise<boolean>;
  /**
   * Removes deleted and overwritten content from the write-ahead log of SQLite. Does not wait for readers: returns false
   * when a reader blocks it, and must then be called again. The log of PostgreSQL is in the hands of its operator.
   */
  purge(): Promise<boolean>;
  /** Finishes the requested writes, rejects new ones, and closes the database. */
  close(): Promise<void>;
}

/** The connection of a worker thread that reads a database which the main thread has opened. */
export interface Reader extends Pick<Database, 'read'> {
  close(): Promise<void>;
}
