// Limits of the bytes that are read: lists that end after a number of bytes, because each message can have a megabyte, and
// the bytes that a transaction reads.
import type { Parameter, Tx } from './database.ts';

/** Bytes of one read before other requests run. */
export const batchBytes = 1_000_000;

/** The columns that can be large, of a row of messages or events. */
interface Large {
  payload: string;
  metadata?: string | null;
  parts?: string | null;
}

/** SQL of the bytes of a row, which the engines know without reading the texts. `table`: its alias. */
export const bytesSql = {
  messages: (table: string): string =>
    `octet_length(${table}.payload) + COALESCE(octet_length(${table}.metadata), 0) + COALESCE(octet_length(${table}.parts), 0)`,
  events: (table: string): string => `octet_length(${table}.payload)`,
};

/** Returns the bytes of a row, as `bytesSql` counts them. */
export const bytesOf = ({ payload, metadata, parts }: Large): number =>
  Buffer.byteLength(payload) + Buffer.byteLength(metadata ?? '') + Buffer.byteLength(parts ?? '');

/**
 * Whether `firstWithin` has left out rows after these: they weigh more than was to be read. Otherwise fewer rows than the
 * limit are the last ones.
 */
export const isCut = (rows: readonly Large[], bytes: number): boolean =>
  rows.reduce((sum, row) => sum + bytesOf(row), 0) > bytes;

/**
 * Returns SQL of the ids of the first rows up to that with which they weigh more than a number of bytes: always one, if there
 * is one. `rows`: a SELECT with the columns `id`, `bytes` and those of `order`, with an end. The number of bytes is the last
 * parameter.
 */
export const firstWithin = (rows: string, order: string): string =>
  `SELECT s.id FROM (SELECT w.id, SUM(w.bytes) OVER (ORDER BY ${order} ROWS UNBOUNDED PRECEDING) - w.bytes AS earlier
     FROM (${rows}) AS w) AS s WHERE s.earlier <= ?`;

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
