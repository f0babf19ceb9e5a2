// Groups rows by columns, and aggregates each group. Rows are added one by one; only the groups are in memory.
import { limits } from '../../../protocol/limits.ts';
import type { GroupOperation, RowGroup } from '../../../protocol/table.ts';
import type { TableSchema } from '../../../protocol/types/tables.ts';
import { ApiError } from '../../api/errors.ts';
import { add } from '../values.ts';
import { canonicalText, compare } from './compare.ts';
import { type Path, readPath, valueAt } from './path.ts';
import { sortInPieces } from './sort.ts';

/** A validated grouping. */
export interface Grouping {
  keys: Path[];
  results: { name: string; path: Path; operation: GroupOperation }[];
}

export interface Groups {
  add(row: Readonly<Record<string, unknown>>): void;
  /**
   * Returns the groups, sorted by the values of their keys. Without key columns there is one group, also if there are
   * no rows. Throws InvalidPayload for a sum that is too large for a number.
   */
  rows(): Promise<Record<string, unknown>[]>;
}

/** Aggregates the values of one column in one group, except null. */
interface Fold {
  add(value: unknown): void;
  result(): unknown;
}

/** The aggregate functions. `different` counts new values, for the limit. */
const folds: Record<GroupOperation, (different: (text: string) => void) => Fold> = {
  count: () => fold(0, (count) => count + 1),
  sum: () => fold(0, (sum, value) => (typeof value === 'number' ? add(sum, value) : sum)),
  avg() {
    let sum = 0;
    let count = 0;
    return {
      add(value) {
        if (typeof value !== 'number') return;
        sum = add(sum, value);
        count += 1;
      },
      result: () => (count === 0 ? null : sum / count),
    };
  },
  min: () =>
    fold<unknown>(null, (least, value) => (least === null || compare(value, least) < 0 ? value : least)),
  max: () => fold<unknown>(null, (most, value) => (most === null || compare(value, most) > 0 ? value : most)),
  unique(different) {
    const seen = new Set<string>();
    return {
      add(value) {
        const text = canonicalText(value);
        if (seen.has(text)) return;
        seen.add(text);
        different(text);
      },
      result: () => seen.size,
    };
  },
};

/** Validates a grouping. Throws InvalidPayload. */
export function readGroup(schema: TableSchema, input: RowGroup): Grouping {
  const grouping: Grouping = { keys: [], results: [] };
  for (const [column, output] of Object.entries(input)) {
    const path = readPath(schema, column);
    for (const word of Array.isArray(output) ? output : [output]) {
      if (word === 'key') grouping.keys.push(path);
      else if (typeof word === 'string' && Object.hasOwn(folds, word)) {
        const name = `${column}${word.charAt(0).toUpperCase()}${word.slice(1)}`;
        grouping.results.push({ name, path, operation: word });
      } else {
        throw invalid(`${column}: "key", or some of ${Object.keys(folds).join(', ')}.`);
      }
    }
  }
  const names = outputNames(grouping);
  if (names.length === 0) throw invalid('name a column at least.');
  if (new Set(names).size < names.length) throw invalid('two results would have one name.');
  return grouping;
}

/** Returns the names of the columns of groups. */
export function outputNames({ keys, results }: Grouping): string[] {
  return [...keys.map((path) => path.text), ...results.map(({ name }) => name)];
}

/** Throws LimitExceeded when there are too many groups. */
export function createGroups({ keys, results }: Grouping): Groups {
  const groups = new Map<string, { values: unknown[]; folds: Fold[] }>();
  let storedCount = 0;
  let characters = 0;
  const countStored = (text: string) => {
    storedCount += 1;
    characters += text.length;
    if (storedCount > limits.tables.groups) {
      throw new ApiError('LimitExceeded', `group: more than ${limits.tables.groups} different values.`);
    }
    if (characters > limits.tables.sortText) {
      throw new ApiError('LimitExceeded', 'group: its different values have too much text.');
    }
  };
  const begin = (id: string, values: unknown[]) => {
    const group = { values, folds: results.map(({ operation }) => folds[operation](countStored)) };
    groups.set(id, group);
    countStored(id);
    return group;
  };
  if (keys.length === 0) begin('[]', []);

  return {
    add(row) {
      const values = keys.map((path) => valueAt(row, path) ?? null);
      const id = canonicalText(values);
      const group = groups.get(id) ?? begin(id, values);
      for (const [index, { path }] of results.entries()) {
        const value = valueAt(row, path);
        if (value !== undefined && value !== null) group.folds[index]?.add(value);
      }
    },
    rows: async () =>
      (await sortInPieces([...groups.values()], (a, b) => compare(a.values, b.values))).map((group) =>
        Object.fromEntries([
          ...keys.map((path, index) => [path.text, group.values[index]]),
          ...results.map(({ name }, index) => [name, finite(group.folds[index]?.result(), name)]),
        ]),
      ),
  };
}

/** Returns a result that an answer can contain. Throws InvalidPayload for a sum that is too large for a number. */
function finite(value: unknown, name: string): unknown {
  if (typeof value !== 'number' || Number.isFinite(value)) return value;
  throw invalid(`${name} is too large for a number.`);
}

function fold<T>(start: T, step: (state: T, value: unknown) => T): Fold {
  let state = start;
  return {
    add(value) {
      state = step(state, value);
    },
    result: () => state,
  };
}

function invalid(message: string): ApiError {
  return new ApiError('InvalidPayload', `group: ${message}`);
}
