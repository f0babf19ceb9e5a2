// Columns are named `user_id` in SQL, and their values `userId` in rows: the drivers rename them when they read.

/** The name in rows of a column, or of an alias. A digit after an underscore stays as it is. */
export const fieldOf = (column: string): string =>
  column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** The column of a name in rows. */
export const columnOf = (field: string): string =>
  field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/**
 * Returns a row with its values in the order of `fields`. Drivers read rows as lists: this is faster than an object of the
 * driver, whose names have to be copied from the database for each row.
 */
export function rowOf<Row>(fields: readonly string[], values: readonly unknown[]): Row {
  const row: Record<string, unknown> = {};
  for (let index = 0; index < fields.length; index += 1) row[fields[index] as string] = values[index];
  return row as Row;
}

/** The columns of these names in rows, as a list in a statement. `table`: the alias of their table with a dot, if it has one. */
export const columnList = (fields: readonly string[], table = ''): string =>
  fields.map((field) => table + columnOf(field)).join(', ');
