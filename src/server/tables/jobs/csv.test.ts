// CSV: round trip of anything however it is cut, other people's spellings, formulas, and files that are none.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromCell, toCell } from './cells.ts';
import { type Cell, createCsvReader, csvLine, marked, unmarked } from './csv.ts';

function read(text: string, cuts: number[] = [], most = 1_000_000): Cell[][] {
  const reader = createCsvReader(most);
  const rows: Cell[][] = [];
  let from = 0;
  for (const cut of [...cuts].sort((a, b) => a - b)) {
    rows.push(...reader.push(text.slice(from, cut)));
    from = cut;
  }
  rows.push(...reader.push(text.slice(from)), ...reader.end());
  return rows;
}

const text = fc.string({
  unit: fc.constantFrom('a', '"', ',', ';', '\t', '\r', '\n', '\ufeff', "'", '=', '-', 'ż', '😀', ' '),
});

test('what is written is read, wherever it is cut', () => {
  const rows = fc.array(fc.array(fc.option(text), { minLength: 2, maxLength: 4 }), { maxLength: 6 });
  fc.assert(
    fc.property(rows, fc.array(fc.nat(100)), (cells, cuts) => {
      // The first comma is the separator; a header has one.
      const lines = [['a', 'b'], ...cells];
      const written = lines.map(csvLine).join('');
      const within = cuts.map((cut) => cut % (written.length + 1));
      expect(read(written, within)).toEqual(lines.filter((line) => line.length > 1));
    }),
  );
});

test('values of columns come back as they were', () => {
  const value = fc.oneof(
    fc.record({ type: fc.constant('string' as const), value: text }),
    fc.record({
      type: fc.constant('number' as const),
      value: fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n + 0),
    }),
    fc.record({ type: fc.constant('boolean' as const), value: fc.boolean() }),
    fc.record({ type: fc.constant('object' as const), value: fc.dictionary(fc.string(), fc.jsonValue()) }),
    fc.record({ type: fc.constant('array' as const), value: fc.array(fc.jsonValue()) }),
  );
  fc.assert(
    fc.property(value, (column) => {
      const [, line] = read(`a,b\r\n${csvLine(['1', toCell(column.value)])}`);
      expect(JSON.stringify(fromCell(column, line?.[1] ?? null))).toBe(JSON.stringify(column.value));
    }),
  );
});

describe('other spellings', () => {
  test.each<[string, string, Cell[][]]>([
    [
      'a byte order mark',
      '\ufeffa,b\n1,2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'line feeds',
      'a,b\n1,2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'carriage returns',
      'a,b\r1,2\r',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'semicolons',
      'a;b\n"1;1";2,5\n',
      [
        ['a', 'b'],
        ['1;1', '2,5'],
      ],
    ],
    [
      'tabs',
      'a\tb\n1\t2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'empty lines',
      '\n\na,b\r\n\r\n1,2\n\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'nothing and an empty text',
      'a,b\n,""\n',
      [
        ['a', 'b'],
        [null, ''],
      ],
    ],
    [
      'quotes in the middle',
      'a,b\n5" pipe,"x"y\n',
      [
        ['a', 'b'],
        ['5" pipe', 'xy'],
      ],
    ],
    [
      'lines within quotes',
      'a,b\n"1\r\n2","say ""hi"""\n',
      [
        ['a', 'b'],
        ['1\r\n2', 'say "hi"'],
      ],
    ],
    ['one column', 'a\n1\n', [['a'], ['1']]],
    ['nothing', '', []],
  ])('%s', (_, file, rows) => {
    expect(read(file)).toEqual(rows);
  });
});

describe('formulas', () => {
  test.each(['=1+1', '+49 170', '-1', '@SUM(A1)', '\t=1', "'=1", "''+"])(
    '%j is marked, and comes back',
    (formula) => {
      expect(marked(formula)).toBe(`'${formula}`);
      expect(unmarked(marked(formula))).toBe(formula);
    },
  );

  test('no text begins as a formula once it is marked', () => {
    fc.assert(
      fc.property(text, (any) => {
        expect(marked(any)).not.toMatch(/^[=+\-@\t\r]/);
        expect(unmarked(marked(any))).toBe(any);
      }),
    );
  });
});

test('a quote that is never closed is refused, and not kept in memory', () => {
  expect(() => read('a,b\n"1,2\n3,4\n')).toThrow('a quote is not closed');
  expect(() => read(`a,b\n"${'x'.repeat(5_000)}`, [], 1_000)).toThrow('Line 2: a row is longer than 1000');
});
