// Rows that a statement gets as one parameter, so that its text does not depend on their number.
import type { Dialect, Tx } from './database.ts';
import { forDialect } from './dialect.ts';

/** The rows as an item of FROM with the alias `r`, and their columns by position. */
export interface JsonRows {
  /** With one parameter: a JSON list of lists (`JSON.stringify`). */
  from: string;
  text(position: number): string;
  integer(position: number): string;
}

/** Returns the parts of a statement that reads rows from a parameter. */
export const jsonRows = (tx: Pick<Tx, 'dialect'>): JsonRows => forDialect(tx, rowsBy);

const rowsBy: Record<Dialect, JsonRows> = {
  sqlite: {
    from: 'json_each(?) r',
    text: (position) => `(r.value ->> ${position})`,
    integer: (position) => `CAST(r.value ->> ${position} AS INTEGER)`,
  },
  postgres: {
    from: 'json_array_elements(CAST(? AS json)) r',
    text: (position) => `(r ->> ${position})`,
    integer: (position) => `CAST(r ->> ${position} AS BIGINT)`,
  },
};
