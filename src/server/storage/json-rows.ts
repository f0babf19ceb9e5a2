// Rows that a statement gets as one parameter, so that its text does not depend on their number.
import type { Dialect, Tx, Value } from './database.ts';
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

/**
 * SQL of PostgreSQL: a FROM item without an alias with the rows of a function. Each LIMIT lets the planner expect a tenth of them, so
 * one, whatever the parameters are. It then reads other tables by their indexes, also one that is small at that time, and plans the
 * statement once instead of for each execution.
 */
export const fewRows = (rows: string): string =>
  `(SELECT * FROM (SELECT * FROM ${rows} LIMIT (SELECT 1000000)) AS few LIMIT (SELECT 1000000))`;

/**
 * Returns a function that returns a statement from rows, each a list of values in the order of the columns, and its parameters.
 * `columns`: their names with the types `text` or `bigint`; `statement`: its text with the rows as an item of FROM without an alias.
 * PostgreSQL gets any number of rows as one parameter, without NUL and unpaired surrogates. SQLite, where there is hardly ever more
 * than one, reads parameters faster than JSON.
 */
export function rowsStatement(
  columns: string,
  statement: (rows: string) => string,
): (tx: Pick<Tx, 'dialect'>, rows: readonly (readonly Value[])[]) => [sql: string, ...values: Value[]] {
  const names = columns.split(',').map((column) => column.trim().replace(/ .*/, ''));
  const ofJson = statement(fewRows(`json_to_recordset(CAST(? AS json)) AS given (${columns})`));
  const first = `SELECT ${names.map((name) => `? AS ${name}`).join(', ')}`;
  const next = ` UNION ALL SELECT ${names.map(() => '?').join(', ')}`;
  const ofParameters = (count: number) => statement(`(${first}${next.repeat(count - 1)})`);
  const ofOne = ofParameters(1);
  const byDialect: Record<Dialect, (rows: readonly (readonly Value[])[]) => [string, ...Value[]]> = {
    sqlite: ([row = [], ...others]) =>
      others.length === 0 ? [ofOne, ...row] : [ofParameters(others.length + 1), ...row, ...others.flat()],
    postgres(rows) {
      const named = rows.map((row) => Object.fromEntries(row.map((value, n) => [names[n], value])));
      return [ofJson, JSON.stringify(named)];
    },
  };
  return (tx, rows) => forDialect(tx, byDialect)(rows);
}
