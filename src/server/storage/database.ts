// The door to storage: what the rest of the server may ask of a database. It names no product; SQL stays portable.

/** What SQL parameters and columns hold. JSON is text, a boolean is 0 or 1, an instant is milliseconds since 1970. */
export type Value = string | number | null;

/** Reads. Parameters are `?`; each statement sees one committed state (READ COMMITTED). */
export interface Tx {
  /** The first row, or undefined. Also runs `INSERT ... RETURNING` inside a write. */
  get<Row>(sql: string, ...values: Value[]): Promise<Row | undefined>;
  all<Row>(sql: string, ...values: Value[]): Promise<Row[]>;
}

/** Reads and writes of one transaction. */
export interface WriteTx extends Tx {
  /** Runs a statement and gives the number of rows it changed. */
  run(sql: string, ...values: Value[]): Promise<number>;
  /**
   * Asks for something to be done once this transaction is safely on disk: never when it is rolled back, in the
   * order of the transactions, before `write` resolves. Signals to listeners leave the server through here only.
   */
  afterCommit(effect: () => void): void;
}

export interface Database {
  read<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * Runs `work` alone, after all writes asked for earlier; resolves when its changes are on disk. When `work`
   * throws, its changes are undone and `write` rejects with that error. `work` awaits nothing but its `tx`.
   */
  write<T>(work: (tx: WriteTx) => Promise<T>): Promise<T>;
  /**
   * Removes what was deleted or overwritten from the files beside the database (its log). It never waits for readers:
   * false when one holds it back, and it has to be asked again.
   */
  purge(): Promise<boolean>;
  /** Finishes the writes that were asked for, refuses new ones, and lets go of the file. */
  close(): Promise<void>;
}
