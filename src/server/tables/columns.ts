// Columns of tables: converts a JSON schema or an example of a row to the one schema that is stored. Keywords that are
// not validated here are dropped, so that a schema contains no rule that is not enforced.
import * as v from 'valibot';
import { limits } from '../../protocol/limits.ts';
import type { Column, ColumnNotes } from '../../protocol/table.ts';
import type { TableSchema } from '../../protocol/types/tables.ts';
import { ApiError } from '../api/errors.ts';
import {
  assertDefinitions,
  checkComputation,
  DefinitionError,
  renameDependency,
} from './computed/definitions.ts';
import { typeOf } from './query/compare.ts';
import { systemColumns } from './query/path.ts';
import { invalid, readValue, requiredOf } from './value-schema.ts';
import { isDeeper } from './values.ts';

type Fields = Record<string, unknown>;

/** Names of other fields of rows; `__proto__` would change the prototype of an object. */
const reserved: readonly string[] = [
  ...systemColumns,
  'computed',
  'stale',
  'similarity',
  'rowVersion',
  '__proto__',
];

/** Reads the schema of a new table. Throws InvalidJsonSchema. */
export function readSchema(input: Fields): TableSchema {
  const { columns, rest } = take(input);
  const read = Object.entries(columns).map(([name, column], index): [string, Column] => [
    columnName(name),
    readColumn(column, name, index),
  ]);
  return finish(read, rest);
}

/**
 * Returns the schema after a change: a column that is null is removed; a column that is not mentioned is kept.
 * `cleared` are the columns whose data is lost, because they were removed or their type has changed.
 */
export function changeSchema(
  current: TableSchema,
  input: Fields,
): { schema: TableSchema; cleared: string[] } {
  const { columns, rest } = take(input);
  const changed = new Map<string, Column>(Object.entries(current.properties));
  const cleared: string[] = [];
  let next = Math.max(-1, ...[...changed.values()].map((column) => column['x-zui'].index)) + 1;
  for (const [name, column] of Object.entries(columns)) {
    const before = changed.get(name);
    if (column === null) {
      changed.delete(name);
      if (before) cleared.push(name);
      continue;
    }
    const index = before?.['x-zui'].index ?? next++;
    const after = readColumn(column, name, index);
    changed.set(before ? name : columnName(name), after);
    if (before && (before.type !== after.type || before.format !== after.format)) cleared.push(name);
  }
  const required = current.required?.filter((name) => changed.has(name)) ?? [];
  return { schema: finish([...changed], { required, ...rest }), cleared };
}

/** Returns the schema with one renamed column. */
export function renameColumn(current: TableSchema, name: string, newName: string): TableSchema {
  if (!Object.hasOwn(current.properties, name)) {
    throw new ApiError('ResourceNotFound', 'The table has no column of this name.');
  }
  if (name === newName) return current;
  if (Object.hasOwn(current.properties, newName)) {
    throw new ApiError('AlreadyExists', 'The table has a column of the new name.');
  }
  columnName(newName);
  const rename = (column: string) => (column === name ? newName : column);
  return {
    ...current,
    properties: Object.fromEntries(
      Object.entries(current.properties).map(([columnName, column]) => [
        rename(columnName),
        renamedIn(column, rename),
      ]),
    ),
    ...(current.required ? { required: current.required.map(rename) } : {}),
  };
}

/** Returns a column whose definition names the renamed column. */
function renamedIn(column: Column, rename: (name: string) => string): Column {
  const { computed } = column['x-zui'];
  if (!computed) return column;
  return { ...column, 'x-zui': { ...column['x-zui'], computed: renameDependency(computed, rename) } };
}

/** Returns the sent columns, from a JSON schema or from an example. */
function take(input: Fields): { columns: Fields; rest: Fields } {
  if (isDeeper(input, limits.tables.depth)) throw invalid('it is nested too deeply.');
  if (!isJsonSchema(input)) {
    // A change can remove as many columns as it adds.
    assertFew(Object.keys(input).length / 2);
    return { columns: mapFields(input, example), rest: {} };
  }
  const { properties, required, $schema } = input;
  // Before it is parsed, because parsing takes longer than counting its bytes.
  assertSmall({ properties, required, $schema });
  return {
    columns: properties as Fields,
    rest: { ...(required === undefined ? {} : { required }), ...($schema === undefined ? {} : { $schema }) },
  };
}

/** True for a JSON schema, also without `type`: `{ properties: { total: { type: 'number' } } }` is not an example. */
function isJsonSchema(input: Fields): boolean {
  const { type, properties } = input;
  if (typeOf(properties) !== 'object') return false;
  if (type !== undefined) return type === 'object';
  const columns = Object.values(properties as Fields);
  return (
    Object.keys(input).every((name) => schemaWords.has(name)) &&
    columns.length > 0 &&
    columns.every(
      (column) => column === null || (typeOf(column) === 'object' && Object.hasOwn(column as object, 'type')),
    )
  );
}

const schemaWords = new Set(['properties', 'required', 'additionalProperties', '$schema']);

/** Returns the column for a value of an example. Null is kept, because in a change it removes a column. */
function example(value: unknown): unknown {
  return value === null ? null : { type: typeOf(value) };
}

function finish(columns: [string, Column][], { required, $schema }: Fields): TableSchema {
  assertFew(columns.length);
  const names = columns.map(([name]) => name);
  const schema: TableSchema = {
    ...(typeof $schema === 'string' ? { $schema } : {}),
    type: 'object',
    additionalProperties: true,
    properties: Object.fromEntries(columns),
    ...requiredOf(required, names, 'required'),
  };
  assertSmall(schema);
  return schema;
}

function assertFew(columns: number): void {
  if (columns > limits.tables.columns) throw invalid(`a table has at most ${limits.tables.columns} columns.`);
}

function assertSmall(schema: object): void {
  if (Buffer.byteLength(JSON.stringify(schema)) > limits.tables.schemaBytes) {
    throw invalid(`exceeds the limit of ${limits.tables.schemaBytes} bytes.`);
  }
}

function columnName(name: string): string {
  const fits = /^[^$\s.\p{Cc}\p{Cs}][^.\p{Cc}\p{Cs}]*$/u.test(name) && name === name.trim();
  if (!fits || [...name].length > limits.tables.columnName || reserved.includes(name)) {
    throw invalid(
      `${JSON.stringify(name.slice(0, 100))} cannot be a column: 1 to ${limits.tables.columnName} characters, no dot, ` +
        `no $ at the beginning, and none of ${reserved.join(', ')}.`,
    );
  }
  return name;
}

function readColumn(input: unknown, name: string, index: number): Column {
  const value = readValue(input, name);
  const notes = v.safeParse(notesSchema, (input as Fields)['x-zui'] ?? {});
  if (!notes.success) throw invalid(`${name}: x-zui is invalid.`);
  const { index: columnIndex = index, ...rest } = notes.output;
  const { computed } = rest;
  if (computed) orInvalid(() => checkComputation(computed), `${name}: x-zui.computed: `);
  return { ...value, 'x-zui': { index: columnIndex, ...rest } as ColumnNotes };
}

/** Throws InvalidJsonSchema for a wrong definition of a computed column. */
function orInvalid<T>(work: () => T, prefix: string): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof DefinitionError) throw invalid(prefix + error.message);
    throw error;
  }
}

/** Throws InvalidJsonSchema when a computed column depends on itself or on no column, or is the key column. */
export function assertComputed(schema: TableSchema, keyColumn: string | null): void {
  orInvalid(() => assertDefinitions(schema, keyColumn), 'x-zui.computed: ');
}

function mapFields(fields: Fields, change: (value: unknown) => unknown): Fields {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, change(value)]));
}

const text = v.exactOptional(v.string());
const number = v.exactOptional(v.number());
const flag = v.exactOptional(v.boolean());
const notesSchema = v.object({
  index: number,
  id: text,
  title: text,
  searchable: flag,
  hidden: flag,
  order: number,
  width: number,
  schemaId: text,
  computed: v.exactOptional(v.record(v.string(), v.unknown())),
  typings: text,
});
