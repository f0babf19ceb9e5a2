// The functions of formulas. None has an effect, reads a clock or calls back, so a formula always has the same result.
import { readNumber } from '../exact-json.ts';
import { compilePattern } from '../query/pattern.ts';
import { add, readInstant } from '../values.ts';
import { FormulaError } from './tokens.ts';

/** Counts work: throws FormulaError when a formula has used up its share. */
export type Charge = (work: number) => void;

interface FormulaFunction {
  /** The least and the greatest number of parameters. */
  parameters: [least: number, most: number];
  run(parameters: unknown[], charge: Charge): unknown;
}

const many = Number.POSITIVE_INFINITY;
const dayMs = 24 * 60 * 60 * 1000;

/** `if` and `coalesce` compute only the parameters that they need (evaluate.ts). */
export const functions: Record<string, FormulaFunction> = {
  if: { parameters: [2, 3], run: () => null },
  coalesce: { parameters: [1, many], run: () => null },

  text: { parameters: [1, 1], run: ([value]) => (value === null ? null : asText(value)) },
  number: { parameters: [1, 1], run: ([value]) => toNumber(value) },
  length: { parameters: [1, 1], run: ([value]) => (value === null ? 0 : lengthOf(value)) },
  lower: ofText((value) => value.toLowerCase()),
  upper: ofText((value) => value.toUpperCase()),
  trim: ofText((value) => value.trim()),
  contains: { parameters: [2, 2], run: ([value, part], charge) => contains(value, part, charge) },
  startsWith: {
    parameters: [2, 2],
    run: ([value, part]) => value !== null && text(value).startsWith(text(part)),
  },
  endsWith: {
    parameters: [2, 2],
    run: ([value, part]) => value !== null && text(value).endsWith(text(part)),
  },
  matches: {
    parameters: [2, 2],
    run([value, pattern], charge) {
      if (value === null) return false;
      // Two million characters are a second of work in the worst case (limits.tables.patternWork).
      charge(25 * text(value).length);
      return compilePattern(text(pattern)).test(text(value));
    },
  },
  replace: {
    parameters: [3, 3],
    run([value, part, by], charge) {
      if (value === null) return null;
      const pieces = split(text(value), text(part), charge);
      charge(pieces.length * text(by).length);
      return pieces.join(text(by));
    },
  },
  split: {
    parameters: [2, 2],
    run: ([value, part], charge) => (value === null ? [] : split(text(value), text(part), charge)),
  },
  join: {
    parameters: [2, 2],
    run([value, separator], charge) {
      const items = list(value).map((item) => (item === null ? '' : asText(item)));
      charge(items.length * text(separator).length + items.reduce((sum, item) => sum + item.length, 0));
      return items.join(text(separator));
    },
  },
  slice: {
    parameters: [2, 3],
    run([value, from, to]) {
      if (value === null) return null;
      const range: [number, number?] =
        to === undefined || to === null ? [number(from)] : [number(from), number(to)];
      return Array.isArray(value) ? value.slice(...range) : text(value).slice(...range);
    },
  },

  round: {
    parameters: [1, 2],
    run([value, digits = 0]) {
      if (value === null) return null;
      const places = Math.min(15, Math.max(0, Math.trunc(number(digits))));
      const rounded = shiftPoint(Math.round(shiftPoint(number(value), places)), -places);
      // The largest numbers have no decimals.
      return Number.isFinite(rounded) ? rounded : number(value);
    },
  },
  floor: ofNumber(Math.floor),
  ceil: ofNumber(Math.ceil),
  abs: ofNumber(Math.abs),
  min: ofNumbers((numbers) => numbers.reduce((a, b) => Math.min(a, b))),
  max: ofNumbers((numbers) => numbers.reduce((a, b) => Math.max(a, b))),
  sum: { parameters: [1, many], run: (values) => numbersIn(values).reduce((a, b) => add(a, b), 0) },
  average: ofNumbers((numbers) => numbers.reduce((a, b) => add(a, b)) / numbers.length),

  year: ofInstant((date) => date.getUTCFullYear()),
  month: ofInstant((date) => date.getUTCMonth() + 1),
  day: ofInstant((date) => date.getUTCDate()),
  addDays: {
    parameters: [2, 2],
    run: ([value, days]) =>
      value === null || days === null ? null : isoOf(instant(value).getTime() + number(days) * dayMs),
  },
  daysBetween: {
    parameters: [2, 2],
    run: ([from, to]) =>
      from === null || to === null ? null : (instant(to).getTime() - instant(from).getTime()) / dayMs,
  },
};

/** Returns the text of a value that is not null. */
export function asText(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function ofText(run: (value: string) => string): FormulaFunction {
  return { parameters: [1, 1], run: ([value]) => (value === null ? null : run(text(value))) };
}

function ofNumber(run: (value: number) => number): FormulaFunction {
  return { parameters: [1, 1], run: ([value]) => (value === null ? null : run(number(value))) };
}

/** Without a number the result is null. */
function ofNumbers(run: (numbers: number[]) => number): FormulaFunction {
  return {
    parameters: [1, many],
    run(values) {
      const numbers = numbersIn(values);
      return numbers.length === 0 ? null : run(numbers);
    },
  };
}

function ofInstant(run: (date: Date) => number): FormulaFunction {
  return { parameters: [1, 1], run: ([value]) => (value === null ? null : run(instant(value))) };
}

const numbersIn = (values: unknown[]): number[] =>
  values
    .flat()
    .filter((value) => value !== null)
    .map(number);

function text(value: unknown): string {
  if (typeof value === 'string') return value;
  throw new FormulaError('a text is expected; text(…) makes one.');
}

function number(value: unknown): number {
  if (typeof value === 'number') return value;
  throw new FormulaError('a number is expected; number(…) makes one.');
}

/** Moves the decimal point in the decimal notation, because 1.005 * 100 is 100.49999999999999. */
function shiftPoint(value: number, places: number): number {
  // Very small and very large numbers have an exponent already.
  const [digits, exponent = '0'] = String(value).split('e');
  return Number(`${digits}e${Number(exponent) + places}`);
}

function list(value: unknown): unknown[] {
  if (value === null) return [];
  if (Array.isArray(value)) return value;
  throw new FormulaError('a list is expected.');
}

/** A year or a month without a day. */
const yearOrMonth = /^\d{4}(-(0[1-9]|1[0-2]))?$/;

/** Without an offset the text is UTC, as in queries. Other notations depend on the engine and on the time zone of the server. */
function instant(value: unknown): Date {
  const input = text(value);
  const read = yearOrMonth.test(input) ? input : readInstant(input);
  if (read === undefined) throw new FormulaError('a date is expected (ISO 8601).');
  return new Date(read);
}

function isoOf(milliseconds: number): string {
  const date = new Date(milliseconds);
  if (Number.isNaN(date.getTime())) throw new FormulaError('the date is out of range.');
  return date.toISOString();
}

function toNumber(value: unknown): number | null {
  if (value === null || typeof value === 'number') return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  const plain = text(value).trim();
  if (plain === '') return null;
  if (/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i.test(plain)) {
    const number = readNumber(plain);
    if (typeof number === 'number') return number;
    throw new FormulaError('a number cannot keep the text exactly.');
  }
  throw new FormulaError('the text is not a number.');
}

function lengthOf(value: unknown): number {
  return Array.isArray(value) ? value.length : text(value).length;
}

/** Searching for a text compares, in the worst case, each of its characters at each position. */
const searchWork = (value: string, part: string): number => Math.ceil((value.length * part.length) / 50);

function contains(value: unknown, part: unknown, charge: Charge): boolean {
  if (value === null || part === null) return false;
  if (Array.isArray(value)) return value.includes(part);
  charge(searchWork(text(value), text(part)));
  return text(value).includes(text(part));
}

function split(value: string, part: string, charge: Charge): string[] {
  charge(searchWork(value, part));
  const pieces = value.split(part);
  charge(pieces.length);
  return pieces;
}
