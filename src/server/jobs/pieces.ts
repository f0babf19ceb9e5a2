// How many rows one transaction of background work writes.
import type { Database, WriteTx } from '../storage/database.ts';

/** Milliseconds that a transaction in a remote database should take. Others wait for its locks, and it occupies a connection. */
const wantedTimeMs = 40;
/** The rows of the first transaction in a remote database, and of the shortest: on a busy machine few rows would take as long. */
const minSize = 25;

export interface Pieces {
  /** The number of rows for the next transaction. */
  readonly size: number;
  /** As `db.write`, for a transaction that writes `rows` rows. Measures it. */
  write<T>(rows: number, work: (tx: WriteTx) => Promise<T>): Promise<T>;
}

/**
 * Returns the size of the pieces in which rows are written, at most `maxSize`. In a remote database each statement is a round
 * trip, so that the size follows from how long the last transaction took. It at most doubles, and is at least 25. In
 * another one it is always `maxSize`.
 */
export function createPieces(
  db: Pick<Database, 'isRemote' | 'write'>,
  maxSize: number,
  clock: () => number = () => performance.now(),
): Pieces {
  let size = db.isRemote ? Math.min(minSize, maxSize) : maxSize;

  function measured(rows: number, duration: number): void {
    const fitting = Math.floor((rows * wantedTimeMs) / Math.max(1, duration));
    size = Math.min(maxSize, Math.max(minSize, Math.min(fitting, 2 * Math.max(rows, size))));
  }

  return {
    get size() {
      return size;
    },
    write: (rows, work) =>
      db.write(async (tx) => {
        const begun = clock();
        const result = await work(tx);
        if (db.isRemote && rows > 0) measured(rows, clock() - begun);
        return result;
      }),
  };
}
