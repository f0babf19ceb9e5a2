// Validates rows against the schema of their table. Returns the values to store, or throws the reason for a rejection.
import { limits } from '../../protocol/limits.ts';
import type { ValueSchema } from '../../protocol/table.ts';
import type { TableSchema } from '../../protocol/types/tables.ts';
import { isComputed } from './computed/definitions.ts';
import { InexactNumber, inexactIn } from './exact-json.ts';
import { typeOf } from './query/compare.ts';
import { systemColumns } from './query/path.ts';
import { compilePattern } from './query/pattern.ts';
import { isDeeper, readInstant } from './values.ts';

/** The reason why a row is rejected, for the caller. */
export class RowProblem extends Error {}

/** State that the rows of one request share. */
export interface ValidationState {
  /** The number of characters that patterns can still read. */
  patternWork: number;
  /** Names in the rows that are not columns. */
  unknown: Set<string>;
  /** Sentences about values that were stored with a lower precision. */
  rounded: string[];
  /** The index of the row in the request. */
  row: number;
}

/** The maximum number of sentences about values with a lower precision. */
const maxRounded = 20;
/** The maximum number of characters of a number in a message. */
const maxNumberLength = 60;

const shortened = (text: string): string =>
  text.length > maxNumberLength ? `${text.slice(0, maxNumberLength)}…` : text;

export function createValidationState(): ValidationState {
  return { patternWork: limits.tables.patternWork, unknown: new Set(), rounded: [], row: 0 };
}

/**
 * Fields of a row in addition to its columns, which are ignored. A client that sends back a row that it has read sends
 * them, too.
 */
const ignored: readonly string[] = [...systemColumns, 'computed', 'stale', 'similarity', 'rowVersion'];

/** Returns the sent columns of a row in their stored form. Throws RowProblem. */
export function checkRow(
  schema: TableSchema,
  input: Readonly<Record<string, unknown>>,
  state: ValidationState,
): Record<string, unknown> {
  const values: [string, unknown][] = [];
  for (const [name, value] of Object.entries(input)) {
    const column = Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
    if (column) values.push([name, checkValue(column, value, name, state)]);
    else if (!ignored.includes(name)) state.unknown.add(name);
  }
  return Object.fromEntries(values);
}

/**
 * Rejects a row whose columns have far more than `most` bytes as JSON before they are validated, because validating
 * megabytes takes longer than counting them. Up to twice as many are allowed: the stored form of an instant can be
 * shorter, so only the stored row can be measured exactly. Throws RowProblem.
 */
export function assertRowSize(
  schema: TableSchema,
  input: Readonly<Record<string, unknown>>,
  most: number,
): void {
  let size = 0;
  for (const name of Object.keys(schema.properties)) {
    const value = Object.hasOwn(input, name) ? input[name] : undefined;
    if (value !== undefined && value !== null) size += Buffer.byteLength(JSON.stringify(value));
  }
  if (size > 2 * most) throw new RowProblem(`it has ${size} bytes; a row of this table has at most ${most}.`);
}

/** Checks that a new row has its required columns. Throws RowProblem. */
export function requireColumns(schema: TableSchema, input: Readonly<Record<string, unknown>>): void {
  for (const [name, column] of Object.entries(schema.properties)) {
    const isRequired = column.nullable === false || schema.required?.includes(name);
    // The value of a computed column comes later.
    if (isRequired && !isComputed(column) && !Object.hasOwn(input, name))
      throw new RowProblem(`${name} is missing.`);
  }
}

/** Returns one value in its stored form. Throws RowProblem. */
function checkValue(schema: ValueSchema, value: unknown, path: string, state: ValidationState): unknown {
  refuseInexact(value instanceof InexactNumber ? { number: value, path } : undefined);
  const type = typeOf(value);
  if (type === 'null') {
    if (schema.nullable === false && schema.type !== 'null') throw new RowProblem(`${path} cannot be null.`);
    return null;
  }
  if (type !== schema.type)
    throw new RowProblem(`${path} must be ${articles[schema.type]}, not ${articles[type]}.`);
  if (type === 'string') return checkText(schema, value as string, path, state);
  if (type === 'array' || type === 'object') {
    if (isDeeper(value, limits.tables.depth)) throw new RowProblem(`${path} is nested too deeply.`);
    refuseInexact(inexactIn(value, path));
  }
  if (type === 'array') {
    const { items } = schema;
    if (!items) return value;
    return (value as unknown[]).map((item, index) => checkValue(items, item, `${path}.${index}`, state));
  }
  return type === 'object' ? checkObject(schema, value as Record<string, unknown>, path, state) : value;
}

function refuseInexact(found: ReturnType<typeof inexactIn>): void {
  if (!found) return;
  const text = shortened(found.number.text);
  throw new RowProblem(`${found.path}: a number cannot keep ${text} exactly; a text can.`);
}

const enumSets = new WeakMap<readonly string[], Set<string>>();

/** Returns the values of an `enum` as a set, which is created once for all rows of a request. */
function enumSetOf(values: readonly string[]): Set<string> {
  const allowed = enumSets.get(values) ?? new Set(values);
  enumSets.set(values, allowed);
  return allowed;
}

function checkText(schema: ValueSchema, value: string, path: string, state: ValidationState): string {
  if (schema.enum && !enumSetOf(schema.enum).has(value)) {
    throw new RowProblem(`${path} is not one of the allowed values.`);
  }
  if (schema.pattern !== undefined) {
    state.patternWork -= value.length + schema.pattern.length;
    if (state.patternWork < 0) {
      throw new RowProblem(`${path}: there is too much text for patterns in one request; send fewer rows.`);
    }
    if (!compilePattern(schema.pattern).test(value))
      throw new RowProblem(`${path} does not match its pattern.`);
  }
  if (schema.format === undefined) return value;
  const instant = readInstant(value);
  if (instant === undefined) throw new RowProblem(`${path} is not a date and time (ISO 8601).`);
  // Digits after the milliseconds.
  if (/\.\d{3}\d*[1-9]/.test(value) && state.rounded.length < maxRounded)
    state.rounded.push(`Row ${state.row}: ${path} is stored with milliseconds: ${instant}.`);
  return instant;
}

function checkObject(
  { properties = {}, required = [] }: ValueSchema,
  value: Record<string, unknown>,
  path: string,
  state: ValidationState,
): Record<string, unknown> {
  const missing = required.find((name) => !Object.hasOwn(value, name));
  if (missing !== undefined) throw new RowProblem(`${path}.${missing} is missing.`);
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => {
      const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
      return [name, schema ? checkValue(schema, part, `${path}.${name}`, state) : part];
    }),
  );
}

const articles: Record<ValueSchema['type'], string> = {
  string: 'a text',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  null: 'null',
};
