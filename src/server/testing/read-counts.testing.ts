// Counts what a server reads from its database, for tests of how much a request reads.
import { setImmediate } from 'node:timers';
import type { Database } from '../storage/database.ts';

export interface ReadCounts {
  /** Characters of all texts that were read. */
  all: number;
  /** The most that were read before the event loop could run. */
  ofTurn: number;
}

/** Counts the texts of the rows that are read from now on. Returns a function that runs work and returns its counts. */
export function countTexts(db: Database): (work: () => Promise<unknown>) => Promise<ReadCounts> {
  let counts: ReadCounts = { all: 0, ofTurn: 0 };
  let turn: number | undefined;
  const add = (rows: readonly object[]): void => {
    if (turn === undefined) {
      turn = 0;
      setImmediate(() => {
        turn = undefined;
      });
    }
    for (const value of rows.flatMap((row) => Object.values(row)))
      if (typeof value === 'string') {
        turn += value.length;
        counts.all += value.length;
      }
    counts.ofTurn = Math.max(counts.ofTurn, turn);
  };
  const { read } = db;
  db.read = (work) =>
    read((tx) =>
      work({
        dialect: tx.dialect,
        async get<Row>(sql: string, ...values: never[]) {
          const row = await tx.get<Row>(sql, ...values);
          if (row !== undefined) add([row as object]);
          return row;
        },
        async all<Row>(sql: string, ...values: never[]) {
          const rows = await tx.all<Row>(sql, ...values);
          add(rows as object[]);
          return rows;
        },
      }),
    );
  return async (work) => {
    counts = { all: 0, ofTurn: 0 };
    turn = undefined;
    await work();
    return counts;
  };
}
