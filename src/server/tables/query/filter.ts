// Filters of rows: validates a filter against the table of operators and converts it to a tree, which one pure function
// evaluates.
// Why not `sift`: it limits neither the conditions nor the time of patterns (decision 24).
import { limits } from '../../../protocol/limits.ts';
import type { RowFilter } from '../../../protocol/table.ts';
import type { TableSchema } from '../../../protocol/types/tables.ts';
import { ApiError } from '../../api/errors.ts';
import { inexactIn } from '../exact-json.ts';
import { isDeeper, readInstant } from '../values.ts';
import { cachedText, compare, typeOf } from './compare.ts';
import { type Path, readPath, valueAt } from './path.ts';
import { compilePattern, PatternError } from './pattern.ts';

/** A validated filter. */
export type Filter =
  | { all: Filter[] }
  | { any: Filter[] }
  | { not: Filter }
  | { path: Path; test: (value: unknown) => boolean };

/** The filter that matches every row. */
export const everyRow: Filter = { all: [] };

/** Returns whether a row matches. */
export function fits(filter: Filter, row: Readonly<Record<string, unknown>>): boolean {
  if ('all' in filter) return filter.all.every((part) => fits(part, row));
  if ('any' in filter) return filter.any.some((part) => fits(part, row));
  if ('not' in filter) return !fits(filter.not, row);
  return filter.test(valueAt(row, filter.path));
}

/** Validates a filter. Throws InvalidPayload with the path in the message. */
export function readFilter(schema: TableSchema, input: RowFilter): Filter {
  if (isDeeper(input, limits.tables.depth)) throw invalid('it is nested too deeply.');
  const inexact = inexactIn(input, '');
  // Otherwise rows with a number nearby would be found, or deleted.
  if (inexact)
    throw invalid(
      `${inexact.path.slice(1, 200)}: a number cannot keep ${inexact.number.text.slice(0, 60)} exactly.`,
    );
  return readConditions(schema, input, {
    conditions: limits.tables.conditions,
    items: limits.tables.filterItems,
  });
}

type Test = (value: unknown) => boolean;

interface Budget {
  /** The number of conditions that the filter can still have. */
  conditions: number;
  /** The number of list items that its conditions can still read, in all rows together. */
  items: number;
}

/**
 * Creates the test of one operator from its operand. A comparison requires a value of the operand's type. For an array
 * it is true if it is true for the array or for one of its items.
 */
const operators: Record<
  string,
  (operand: unknown, refuse: (reason: string) => never, ofAny: (test: Test) => Test) => Test
> = {
  $eq: (operand, _, ofAny) => ofAny(equalTo(operand)),
  $ne: (operand, _, ofAny) => not(ofAny(equalTo(operand))),
  $gt: (operand, _, ofAny) => ofAny(sameType(operand, (difference) => difference > 0)),
  $gte: (operand, _, ofAny) => ofAny(sameType(operand, (difference) => difference >= 0)),
  $lt: (operand, _, ofAny) => ofAny(sameType(operand, (difference) => difference < 0)),
  $lte: (operand, _, ofAny) => ofAny(sameType(operand, (difference) => difference <= 0)),
  $in: (operand, refuse, ofAny) => ofAny(isOneOf(operand, refuse)),
  $nin: (operand, refuse, ofAny) => not(ofAny(isOneOf(operand, refuse))),
  $exists(operand, refuse) {
    if (typeof operand !== 'boolean') refuse('true or false');
    return (value) => (value !== undefined && value !== null) === operand;
  },
  $mod(operand, refuse, ofAny) {
    const [divisor, remainder] = Array.isArray(operand) && operand.length === 2 ? operand : [];
    if (!Number.isSafeInteger(divisor) || !Number.isSafeInteger(remainder) || divisor === 0) {
      refuse('[divisor, remainder], whole numbers, the divisor not 0');
    }
    // `+ 0`, because the remainder of -4 and 2 is -0.
    return ofAny((value) => typeof value === 'number' && (Math.trunc(value) % divisor) + 0 === remainder + 0);
  },
  $size(operand, refuse) {
    if (!Number.isSafeInteger(operand) || Number(operand) < 0) refuse('a whole number');
    return (value) => Array.isArray(value) && value.length === operand;
  },
};

function readConditions(schema: TableSchema, input: unknown, budget: Budget): Filter {
  const parts = Object.entries(objectOf(input)).map(([key, value]): Filter => {
    const deeper = (part: unknown) => readConditions(schema, part, budget);
    if (key === '$and') return { all: listOf(value, key).map(deeper) };
    if (key === '$or') return { any: listOf(value, key).map(deeper) };
    if (key === '$not') return { not: deeper(value) };
    if (key.startsWith('$')) throw invalid(`${key.slice(0, 50)} does not join conditions.`);
    return readColumn(readPath(schema, key), value, budget);
  });
  return { all: parts };
}

/** Reads the condition of one path: a value that it equals, or operators that must all be true. */
function readColumn(path: Path, input: unknown, budget: Budget): Filter {
  const entries = typeOf(input) === 'object' ? Object.entries(input as object) : [];
  if (!entries.some(([key]) => key.startsWith('$'))) return operation(path, '$eq', input, budget);
  const options = entries.find(([key]) => key === '$options')?.[1];
  if (options !== undefined && !entries.some(([key]) => key === '$regex')) {
    throw invalid(`${path.text}: $options needs $regex.`);
  }
  const parts = entries.flatMap(([key, value]): Filter[] => {
    const deeper = (part: unknown) => readColumn(path, part, budget);
    if (key === '$and') return [{ all: listOf(value, key).map(deeper) }];
    if (key === '$or') return [{ any: listOf(value, key).map(deeper) }];
    if (key === '$not') return [{ not: deeper(value) }];
    if (key === '$options') return [];
    if (key === '$regex') return [{ path, test: matching(path, value, options, budget) }];
    return [operation(path, key, value, budget)];
  });
  return { all: parts };
}

function operation(path: Path, name: string, operand: unknown, budget: Budget): Filter {
  spend(budget, 1);
  const make = Object.hasOwn(operators, name) ? operators[name] : undefined;
  if (!make) throw invalid(`${path.text}: ${JSON.stringify(name.slice(0, 50))} is not an operator.`);
  const refuse = (reason: string): never => {
    throw invalid(`${path.text}: ${name} takes ${reason}.`);
  };
  return { path, test: make(path.instants ? inUtc(operand) : operand, refuse, ofAnyWithin(budget)) };
}

/** The number of conditions that a regular expression counts as, because it reads the whole text. */
const patternCost = 100;

function matching(path: Path, source: unknown, options: unknown, budget: Budget): Test {
  spend(budget, patternCost);
  if (typeof source !== 'string') throw invalid(`${path.text}: $regex takes a text.`);
  if (options !== undefined && options !== 'i' && options !== 'c') {
    throw invalid(`${path.text}: $options is "i" (case does not count) or "c" (it does).`);
  }
  try {
    const pattern = compilePattern(source, options === 'i');
    return ofAnyWithin(budget)((value) => typeof value === 'string' && pattern.test(value));
  } catch (error) {
    if (error instanceof PatternError) throw invalid(`${path.text}: ${error.message}`);
    throw error;
  }
}

function isOneOf(operand: unknown, refuse: (reason: string) => never): Test {
  if (!Array.isArray(operand)) refuse('a list of values');
  const plain = new Set<unknown>();
  const texts = new Set<string>();
  for (const one of operand as unknown[]) {
    if (typeof one === 'object' && one !== null) texts.add(cachedText(one));
    else plain.add(one);
  }
  return (value) =>
    typeof value === 'object' && value !== null
      ? texts.size > 0 && texts.has(cachedText(value))
      : plain.has(value ?? null);
}

function equalTo(operand: unknown): Test {
  const type = typeOf(operand);
  if (type === 'null') return (value) => typeOf(value) === 'null';
  if (type !== 'object' && type !== 'array') return (value) => value === operand;
  const text = cachedText(operand as object);
  return (value) => typeOf(value) === type && cachedText(value as object) === text;
}

/** Null is neither greater nor less than any value. */
function sameType(operand: unknown, holds: (difference: number) => boolean): Test {
  const type = typeOf(operand);
  if (type === 'null') return () => false;
  return (value) => typeOf(value) === type && holds(compare(value, operand));
}

/** Tests the value or one of its items. Throws LimitExceeded when all conditions together have read too many items. */
const ofAnyWithin =
  (budget: Budget) =>
  (test: Test): Test =>
  (value) => {
    if (test(value)) return true;
    if (!Array.isArray(value)) return false;
    budget.items -= value.length;
    if (budget.items < 0) {
      const most = limits.tables.filterItems;
      const cure = 'ask for fewer conditions on columns with lists, or for fewer rows';
      throw new ApiError(
        'LimitExceeded',
        `filter: its conditions would read more than ${most} items of lists: ${cure}.`,
      );
    }
    return value.some(test);
  };

function not(test: Test): Test {
  return (value) => !test(value);
}

/** Converts operands to the stored form of an instant. */
function inUtc(operand: unknown): unknown {
  if (Array.isArray(operand)) return operand.map(inUtc);
  return typeof operand === 'string' ? (readInstant(operand) ?? operand) : operand;
}

function objectOf(input: unknown): Record<string, unknown> {
  if (typeOf(input) !== 'object') throw invalid('conditions are an object.');
  return input as Record<string, unknown>;
}

function listOf(input: unknown, operator: string): unknown[] {
  if (!Array.isArray(input) || input.length === 0)
    throw invalid(`${operator} takes a list that is not empty.`);
  return input;
}

function spend(budget: Budget, conditions: number): void {
  budget.conditions -= conditions;
  if (budget.conditions < 0) throw invalid(`it has more than ${limits.tables.conditions} conditions.`);
}

function invalid(message: string): ApiError {
  return new ApiError('InvalidPayload', `filter: ${message}`);
}
