// Tests of written CSV: an export can be imported again, and formulas are marked.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Cell, readCsv } from '../../files/index.ts';
import { csvLine, fromCell, marked, toCell, unmarked } from './csv.ts';

async function read(text: string): Promise<Cell[][]> {
  async function* chunks() {
    yield text;
  }
  const rows: Cell[][] = [];
  for await (const row of readCsv(chunks(), { maxRowBytes: 1_000_000 })) rows.push(row);
  return rows;
}

const text = fc.string({
  unit: fc.constantFrom('a', '"', ',', ';', '\t', '\r', '\n', '\ufeff', "'", '=', '-', 'ż', '😀', ' '),
});

test('written cells are read unchanged', async () => {
  const rows = fc.array(fc.array(fc.option(text), { minLength: 2, maxLength: 4 }), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(rows, async (cells) => {
      // A header without quotes, so that its delimiter is the comma.
      const lines = [['a', 'b'], ...cells];
      expect(await read(lines.map(csvLine).join(''))).toEqual(lines);
    }),
  );
});

test('values of columns are read unchanged', async () => {
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
  await fc.assert(
    fc.asyncProperty(value, async (column) => {
      const [, line] = await read(`a,b\r\n${csvLine(['1', toCell(column.value)])}`);
      expect(JSON.stringify(fromCell(column, line?.[1] ?? null))).toBe(JSON.stringify(column.value));
    }),
  );
});

describe('formulas', () => {
  test.each(['=1+1', '+49 170', '-1', '@SUM(A1)', '\t=1', '\n=1', '＝1+1', '＠SUM(A1)', "'=1", "''+"])(
    '%j is marked, and comes back',
    (formula) => {
      expect(marked(formula)).toBe(`'${formula}`);
      expect(unmarked(marked(formula))).toBe(formula);
    },
  );

  test('no marked text begins like a formula', () => {
    fc.assert(
      fc.property(text, (any) => {
        expect(marked(any)).not.toMatch(/^[=+\-@\t\r]/);
        expect(unmarked(marked(any))).toBe(any);
      }),
    );
  });
});
