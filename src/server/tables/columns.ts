// Columns of tables: converts a JSON schema or an example of a row to the one schema that is stored. Keywords that are
// not validated here are dropped, so that a schema contains no rule that is not enforced.
import * as v from 'valibot';
import { limits } from '../../protocol/limits.ts';
import type { Column, ColumnNotes, TableSchema, ValueSchema } from '../../protocol/table.ts';
import { ApiError } from '../api/errors.ts';
import { typeOf } from './query/compare.ts';
import { isDeeper } from './query/depth.ts';
import { systemColumns } from './query/path.ts';
import { compilePattern, PatternError } from './query/pattern.ts';

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
  const rename = (known: string) => (known === name ? newName : known);
  return {
    ...current,
    properties: Object.fromEntries(
      Object.entries(current.properties).map(([known, column]) => [rename(known), column]),
    ),
    ...(current.required ? { required: current.required.map(rename) } : {}),
  };
}

/** Returns the sent columns, from a JSON schema or from an example. */
function take(input: Fields): { columns: Fields; rest: Fields } {
  if (isDeeper(input, limits.tables.depth)) throw invalid('it is nested too deeply.');
  if (input.type !== 'object' || typeOf(input.properties) !== 'object') {
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
  const { index: given = index, ...rest } = notes.output;
  return { ...value, 'x-zui': { index: given, ...rest } as ColumnNotes };
}

/** Reads the schema of one value, with the keywords that this server validates. */
function readValue(input: unknown, path: string): ValueSchema {
  if (typeOf(input) !== 'object') throw invalid(`${path}: a column is described by an object with a type.`);
  const fields = input as Fields;
  const { type, nullable } = readType(fields, path);
  const schema: ValueSchema = { type };
  if (nullable !== undefined) schema.nullable = nullable;
  if (typeof fields.description === 'string') schema.description = fields.description;
  if (type === 'string') Object.assign(schema, textKeywords(fields, path));
  if (type === 'array' && fields.items !== undefined) schema.items = readValue(fields.items, `${path}.items`);
  if (type === 'object' && fields.properties !== undefined) {
    if (typeOf(fields.properties) !== 'object') throw invalid(`${path}: properties are an object.`);
    const properties = fields.properties as Fields;
    schema.properties = Object.fromEntries(
      Object.entries(properties).map(([key, part]) => [key, readValue(part, `${path}.${key}`)]),
    );
    Object.assign(schema, requiredOf(fields.required, Object.keys(properties), `${path}: required`));
  }
  return schema;
}

const types = ['string', 'number', 'boolean', 'object', 'array', 'null'] as const;

/** Also accepts `["string", "null"]`, with which other tools declare a nullable type. */
function readType(
  fields: Fields,
  path: string,
): { type: ValueSchema['type']; nullable: boolean | undefined } {
  const given = Array.isArray(fields.type) ? fields.type : [fields.type];
  const several = given.filter((one) => one !== 'null');
  const type = types.find((one) => one === (several.length > 0 ? several[0] : given[0]));
  if (!type || several.length > 1) throw invalid(`${path}: type is one of ${types.join(', ')}.`);
  if (fields.nullable !== undefined && typeof fields.nullable !== 'boolean') {
    throw invalid(`${path}: nullable is true or false.`);
  }
  return { type, nullable: given.length > 1 ? true : fields.nullable };
}

function textKeywords({ format, pattern, enum: allowedTexts }: Fields, path: string): Partial<ValueSchema> {
  const keywords: Partial<ValueSchema> = {};
  if (format === 'date-time') keywords.format = format;
  if (pattern !== undefined) {
    if (typeof pattern !== 'string') throw invalid(`${path}: pattern is a text.`);
    try {
      compilePattern(pattern);
    } catch (error) {
      if (error instanceof PatternError) throw invalid(`${path}: ${error.message}`);
      throw error;
    }
    keywords.pattern = pattern;
  }
  if (allowedTexts !== undefined) {
    const texts =
      Array.isArray(allowedTexts) &&
      allowedTexts.length > 0 &&
      allowedTexts.every((word) => typeof word === 'string');
    if (!texts) throw invalid(`${path}: enum is a list of texts.`);
    keywords.enum = allowedTexts;
  }
  return keywords;
}

function requiredOf(input: unknown, names: string[], path: string): { required?: string[] } {
  if (input === undefined) return {};
  if (!Array.isArray(input)) throw invalid(`${path} is a list of names.`);
  const known = new Set<unknown>(names);
  const unknown = input.find((name) => !known.has(name));
  if (unknown !== undefined) throw invalid(`${path} names ${JSON.stringify(unknown)}, which is not there.`);
  return input.length === 0 ? {} : { required: [...new Set<string>(input)] };
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

function invalid(message: string): ApiError {
  return new ApiError('InvalidJsonSchema', `schema: ${message}`);
}
