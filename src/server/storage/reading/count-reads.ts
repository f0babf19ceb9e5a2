// Counts the bytes that a transaction reads.
import type { Parameter, Tx } from '../database.ts';

/** Bytes that are counted for each row, besides those of its texts. */
const rowBytes = 50;

/** Returns the transaction, which adds to `reads` the bytes of all rows that are read. */
export function countReads(tx: Tx, reads: { bytes: number }): Tx {
  const add = (row: unknown): void => {
    reads.bytes += rowBytes;
    for (const value of Object.values(row as object))
      if (typeof value === 'string') reads.bytes += value.length;
  };
  return {
    dialect: tx.dialect,
    async get<Row>(sql: string, ...values: Parameter[]) {
      const row = await tx.get<Row>(sql, ...values);
      if (row !== undefined) add(row);
      return row;
    },
    async all<Row>(sql: string, ...values: Parameter[]) {
      const rows = await tx.all<Row>(sql, ...values);
      for (const row of rows) add(row);
      return rows;
    },
  };
}
