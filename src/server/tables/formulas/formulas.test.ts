// Tests of formulas: values, errors, and bounds on what a hostile one can do.
import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { evaluate } from './evaluate.ts';
import { parseFormula, renameColumns } from './parser.ts';
import { FormulaError } from './tokens.ts';

const row = {
  price: 2,
  amount: 3,
  name: 'Ann',
  empty: null,
  list: ['a', 'b', 3],
  ship: { city: 'Köln', lines: [{ zip: '50667' }] },
  day: '2026-01-31T10:00:00.000Z',
  'net price': 7,
  constructor: 'own',
};
const run = (source: string) => evaluate(parseFormula(source), row);

test.each([
  ['price * amount + 1', 7],
  ['1 + 2 * 3 - 4 / 2', 5],
  ['-(price + 1) * -2', 6],
  ['7 % 4', 3],
  ['return row.price * 2;', 4],
  ['row["net price"] + 1', 8],
  ['name + " has " + amount', 'Ann has 3'],
  ['\'it\\\'s \' + "\\"x\\"\\n"', 'it\'s "x"\n'],
  ['empty + 1', null],
  ['empty + "x"', 'x'],
  ['price > 1 && amount < 4', true],
  ['price > 5 ? "much" : price > 1 ? "some" : "none"', 'some'],
  ['empty ?? "nothing"', 'nothing'],
  ['empty || name', 'Ann'],
  ['!empty', true],
  ['price == 2', true],
  ['list != list', false],
  ['empty > 1', false],
  ['name < "B"', true],
  ['ship.city', 'Köln'],
  ['ship.lines[0].zip', '50667'],
  ['ship["ci" + "ty"]', 'Köln'],
  ['list[2]', 3],
  ['ship.nothing.more', null],
  ['constructor', 'own'],
  ['if(price > 1, "a", 1 / 0)', 'a'],
  ['coalesce(empty, name, 1 / 0)', 'Ann'],
  ['upper(trim("  a ")) + lower("B")', 'Ab'],
  ['length(name) + length(list) + length(empty)', 6],
  ['contains(name, "nn") && contains(list, "b")', true],
  ['startsWith(name, "A") && endsWith(name, "n")', true],
  ['matches(name, "^A.n$")', true],
  ['replace("a.b.c", ".", "-")', 'a-b-c'],
  ['join(split("a,b", ","), "+")', 'a+b'],
  ['slice(list, 0, 1)[0]', 'a'],
  ['round(1.005, 2)', 1.01],
  ['round(-2.5)', -2],
  ['round(0.1 + 0.2 - 0.3, 2)', 0],
  ['1.1 * 3 - 0.3', 3],
  ['round(0.00000015, 7)', 0.000_000_2],
  ['round(1e21, 2)', 1e21],
  ['month("2026-02") + year("2026")', 2028],
  ['floor(1.9) + ceil(1.1) + abs(-1)', 4],
  ['min(3, price) + max(1, amount)', 5],
  ['sum(price, amount, empty)', 5],
  ['average(0.1, 0.2)', 0.15],
  ['min(empty)', null],
  ['number("12.5") + number(true)', 13.5],
  ['text(price) + text(list)', '2["a","b",3]'],
  ['year(day) * 10000 + month(day) * 100 + day(day)', 20_260_131],
  ['addDays(day, 1)', '2026-02-01T10:00:00.000Z'],
  ['daysBetween("2026-01-01", "2026-01-03")', 2],
])('formula: %s', (source, value) => {
  expect(run(source)).toEqual(value);
});

test.each([
  ['1 +', /at the end/],
  ['1 2', /operator is expected at 3/],
  ['(1', /"\)" is expected/],
  ['price = 2', /cannot be read/],
  ['"open', /cannot be read/],
  ['eval("1")', /no function eval/],
  ['constructor("1")', /no function constructor/],
  ['name.toUpperCase()', /operator is expected/],
  ['length()', /takes 1 parameters/],
  ['round(1, 2, 3)', /1 to 2/],
  ['matches(name, name)', /text in quotes/],
  ['matches(name, "(")', /regular expression/],
  ['1'.repeat(4_001), /4000 characters/],
  [`${'('.repeat(70)}1${')'.repeat(70)}`, /nested too deeply/],
  [`${'-'.repeat(70)}1`, /nested too deeply/],
  [Array(600).fill('1').join('+'), /too many operators/],
  [`ship${'.a'.repeat(600)}`, /too many operators/],
])('formula: %s cannot be stored', (source, message) => {
  expect(() => parseFormula(source)).toThrow(FormulaError);
  expect(() => parseFormula(source)).toThrow(message);
});

test.each([
  ['1 / 0', /division by zero/],
  ['1e300 * 1e300', /not a number/],
  ['name * 2', /needs numbers/],
  ['upper(price)', /text is expected/],
  ['number(name)', /not a number/],
  ['number("9007199254740993")', /cannot keep/],
  ['year(name)', /date is expected/],
  ['addDays(day, 1e15)', /out of range/],
  ['list < list', /compares/],
  ['join(name, ",")', /list is expected/],
])('formula: %s fails', (source, message) => {
  expect(() => run(source)).toThrow(FormulaError);
  expect(() => run(source)).toThrow(message);
});

test('formula: nothing but own fields of values can be reached', () => {
  const values = { text: 'x', object: {}, list: [1] };
  for (const of of ['text', 'object', 'list', 'nothing']) {
    for (const name of ['constructor', '__proto__', 'toString', 'length', 'prototype', 'valueOf']) {
      expect(evaluate(parseFormula(`${of}.${name}`), values)).toBeNull();
      expect(evaluate(parseFormula(`${of}["${name}"]`), values)).toBeNull();
    }
  }
  expect(evaluate(parseFormula('toString'), values)).toBeNull();
});

test('formula: a text cannot grow without end, and work is bounded', () => {
  const big = { text: 'x'.repeat(100_000) };
  expect(() => evaluate(parseFormula('text + text + text + text + text + text'), big)).toThrow(
    /too much work/,
  );
  expect(() => evaluate(parseFormula('replace(text, "x", text)'), big)).toThrow(/too much work/);
  expect(() => evaluate(parseFormula('join(split(text, ""), text)'), big)).toThrow(/too much work/);
  expect(() => evaluate(parseFormula('contains(text, text)'), big)).toThrow(/too much work/);
  const many = { list: Array.from({ length: 20_000 }, () => 1) };
  expect(evaluate(parseFormula('sum(list)'), many)).toBe(20_000);
  const sums = Array(40).fill('sum(list)').join(' + ');
  expect(() => evaluate(parseFormula(sums), many)).toThrow(/too much work/);
  expect(() => evaluate(parseFormula('matches(text, "(x+)+y")'), big)).toThrow(/too much work/);
});

test('formula: any text is a formula, or an error that says why', () => {
  const piece = fc.constantFrom(' ', ...'1 price row . [ ] ( ) + - ? : , "a" ! == if'.split(' '));
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(piece).map((pieces) => pieces.join('')),
      ),
      (source) => {
        try {
          evaluate(parseFormula(source), row);
        } catch (error) {
          expect(error).toBeInstanceOf(FormulaError);
        }
      },
    ),
    { numRuns: 2_000 },
  );
});

test('formula: a renamed column is renamed wherever it is meant, and nowhere else', () => {
  const renamed = renameColumns(
    parseFormula('price + row.price + "price" + ship.price + row["price"]'),
    (name) => (name === 'price' ? 'the "price"' : name),
  );
  expect(renamed).toBe(
    'row["the \\"price\\""] + row["the \\"price\\""] + "price" + ship.price + row["the \\"price\\""]',
  );
  expect(parseFormula(renamed).references.map(({ name }) => name)).toEqual([
    'the "price"',
    'the "price"',
    'ship',
    'the "price"',
  ]);
});

test('a date and time without an offset is UTC in each time zone of the server, as in queries', () => {
  vi.stubEnv('TZ', 'Europe/Berlin');
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(new Date(2025, 0, 1).getTimezoneOffset()).toBe(-60);
  expect(run('year("2025-01-01T00:00:00")')).toBe(2025);
  expect(run('daysBetween("2025-03-29T00:00", "2025-03-31 00:00")')).toBe(2);
  expect(run('addDays("2025-01-01T00:00:00+01:00", 1)')).toBe('2025-01-01T23:00:00.000Z');
  // Other notations, and days that do not exist, are errors: V8 reads them in the time zone of the server, or guesses.
  for (const other of ['2026-1-5', '3/30/2025', '2026-02-30', '2026-13', 'Order 7'])
    expect(() => run(`day("${other}")`)).toThrow('a date is expected');
});
