// The text of a row that searches compare with a query: the values of its searchable columns.
import type { OpenTable, Values } from '../open-table.ts';

/** Returns the names of the searchable columns. */
export const searchableColumns = ({ schema }: OpenTable): string[] =>
  Object.entries(schema.properties)
    .filter(([, column]) => column['x-zui'].searchable)
    .map(([name]) => name);

/** Returns the values of these columns, one per line. */
export const searchedText = (values: Values, columns: readonly string[]): string =>
  columns.map((name) => textOf(values[name])).join('\n');

function textOf(value: unknown): string {
  if (value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
