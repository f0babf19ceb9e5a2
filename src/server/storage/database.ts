// The interface of storage. It is the same for every database engine (database.contract.ts tests implementations).

/** A value of an SQL parameter or column. JSON is text, a boolean is 0 or 1, an instant is milliseconds since 1970. */
export type Value = string | number | null;

/** Reads. Parameters are `?`; each statement sees one committed state (READ COMMITTED). */
export interface Tx {
  /** The first row, or undefined. Also runs `INSERT ... RETURNING` inside a write. */
  get<Row>(sql: string, ...values: Value[]): Promise<Row | undefined>;
  all<Row>(sql: string, ...values: Value[]): Promise<Row[]>;
}

/** Reads and writes of one transaction. */
export interface WriteTx extends Tx {
  /** Runs a statement and returns the number of rows it changed. */
  run(sql: string, ...values: Value[]): Promise<number>;
  /**
   * Registers a callback that runs when this transaction is safely on disk: never when it is rolled back, in the order of
   * the transactions, before `write` resolves. Signals to streams are published in such callbacks only.
   */
  afterCommit(effect: () => void): void;
}

export interface Database {
  read<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * Runs `work` alone, after all writes that were requested earlier; resolves when its changes are on disk. When `work`
   * throws, its changes are undone and `write` rejects with that error. `work` awaits nothing but its `tx`.
   */
  write<T>(work: (tx: WriteTx) => Promise<T>): Promise<T>;
  /**
   * Removes deleted and overwritten content from the write-ahead log. It does not wait for readers: false when one blocks
   * it, and it must be called again.
   */
  purge(): Promise<boolean>;
  /** Finishes the writes that were requested, refuses new ones, and closes the database. */
  close(): Promise<void>;
}
