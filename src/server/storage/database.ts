// The interface of storage, which is the same for every database engine (database.contract.ts tests implementations).

/**
 * A value of an SQL parameter or column. JSON is text, a boolean is 0 or 1, an instant is milliseconds since 1970. A text
 * that contains NUL is rejected, also as a parameter of a query. Instead of an unpaired surrogate, U+FFFD is read. Numbers
 * are integers; reading one beyond ±(2^53 - 1) is rejected, because it would be rounded.
 */
export type Value = string | number | null;

/** A parameter: bytes are read as a Uint8Array. */
export type Parameter = Value | Uint8Array;

/** Reads. Parameters are `?`; each statement sees one committed state (READ COMMITTED). */
export interface Tx {
  /** Returns the first row, or undefined. In a write it also runs `INSERT ... RETURNING`. */
  get<Row>(sql: string, ...values: Parameter[]): Promise<Row | undefined>;
  all<Row>(sql: string, ...values: Parameter[]): Promise<Row[]>;
}

/** Reads and writes of one transaction. */
export interface WriteTx extends Tx {
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

export interface Database {
  /** What a worker thread passes to `openReader` (sqlite.ts) to read the same data. */
  readonly location: string;
  read<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * Runs `work` after all writes that were requested earlier, and without other writes; resolves when its changes are
   * on disk. When `work` throws, its changes are rolled back and `write` rejects with that error. `work` must not await
   * anything except calls of its `tx`.
   */
  write<T>(work: (tx: WriteTx) => Promise<T>): Promise<T>;
  /** Whether the database has the schema of this version. Rejects when it does not answer. */
  isReady(): Promise<boolean>;
  /**
   * Removes deleted and overwritten content from the write-ahead log. Does not wait for readers: returns false when a
   * reader blocks it, and must then be called again.
   */
  purge(): Promise<boolean>;
  /** Finishes the requested writes, rejects new ones, and closes the database. */
  close(): Promise<void>;
}
