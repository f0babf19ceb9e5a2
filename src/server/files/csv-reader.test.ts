// Tests of the CSV reader: any division into chunks, variants of CSV, limits, and open quotes.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Cell, type CsvOptions, readCsv } from './csv-reader.ts';

/** Reads a text in chunks that end at `cuts`, counted in characters. */
async function read(text: string, cuts: number[] = [], options: Partial<CsvOptions> = {}): Promise<Cell[][]> {
  async function* chunks() {
    const characters = [...text];
    let from = 0;
    for (const cut of [...cuts].sort((a, b) => a - b)) {
      yield characters.slice(from, cut).join('');
      from = cut;
    }
    yield characters.slice(from).join('');
  }
  return collect(readCsv(chunks(), { maxRowBytes: 1_000_000, ...options }));
}

async function collect(rows: AsyncIterable<Cell[]>): Promise<Cell[][]> {
  const all: Cell[][] = [];
  for await (const row of rows) all.push(row);
  return all;
}

test('the result does not depend on the division into chunks', async () => {
  const part = fc.constantFrom('a', '"', '""', '",', ',', ';', '\r', '\n', '\r\n', '\ufeff', 'ż', '😀', ' ');
  const file = fc.array(part, { maxLength: 40 }).map((parts) => parts.join(''));
  const readAny = (text: string, cuts: number[]) => read(text, cuts).catch((error: Error) => error.message);
  await fc.assert(
    fc.asyncProperty(file, fc.array(fc.nat(100)), async (text, cuts) => {
      const within = cuts.map((cut) => cut % (text.length + 1));
      expect(await readAny(text, within)).toEqual(await readAny(text, []));
    }),
  );
});

/** The rows in one line. `∅`: a cell with nothing, which is not an empty text. */
const shown = (rows: Cell[][]) => rows.map((row) => row.map((cell) => cell ?? '∅').join('|')).join(' / ');

test.each([
  ['a byte order mark', '\ufeffa,b\n1,2\n', 'a|b / 1|2'],
  ['line feeds', 'a,b\n1,2', 'a|b / 1|2'],
  ['carriage returns', 'a,b\r1,2\r', 'a|b / 1|2'],
  ['semicolons', 'a;b\n"1;1";2,5\n', 'a|b / 1;1|2,5'],
  ['tabs', 'a\tb\n1\t2\n', 'a|b / 1|2'],
  ['empty lines', '\n\na,b\r\n\r\n1,2\n\n', 'a|b / 1|2'],
  ['nothing and an empty text', 'a,b\n,""\n', 'a|b / ∅|'],
  ['quotes in the middle', 'a,b\n5" pipe,"x"y\n', 'a|b / 5" pipe|"x"y'],
  ['lines within quotes', 'a,b\n"1\r\n2","say ""hi"""\n', 'a|b / 1\r\n2|say "hi"'],
  ['a semicolon in a header with more commas', 'a,b;c,d\n1,2,3\n', 'a|b;c|d / 1|2|3'],
  ['delimiters in a quoted header', '"a,b,""c,""";d\n1,5;2\n', 'a,b,"c,"|d / 1,5|2'],
  ['a delimiter below a header of one column', 'a\n1;2\n', 'a / 1;2'],
  ['an inch mark in the header', 'a;5" pipe\n1;2\n', 'a|5" pipe / 1|2'],
  ['letters outside of ASCII', '\ufeffgröße;名\n1;😀\n', 'größe|名 / 1|😀'],
  ['mixed line ends', 'a,b\r\n1,2\n3,4\r5,6', 'a|b / 1|2 / 3|4 / 5|6'],
  ['rows of different lengths', 'a,b\n1\n1,2,3\n', 'a|b / 1 / 1|2|3'],
  ['one column', 'a\n1\n', 'a / 1'],
  ['nothing', '', ''],
])('a variant of CSV is read: %s', async (_, file, rows) => {
  expect(shown(await read(file))).toBe(rows);
});

describe('an open quote', () => {
  test('is rejected with its line, and not kept in memory', async () => {
    await expect(read('a,b\n"1,2\n3,4')).rejects.toThrow('Line 3: a quote is not closed.');
    await expect(read(`a,b\n"${'x'.repeat(5_000)}`, [], { maxRowBytes: 1_000 })).rejects.toThrow(
      'Line 2: a row is longer than 1000 bytes. Is a quote not closed?',
    );
    await expect(read(`"${'x,'.repeat(5_000)}`, [100, 1_100], { maxRowBytes: 1_000 })).rejects.toThrow(
      'Line 1: a row is longer than 1000 bytes.',
    );
  });

  test('is closed at the end of the file by a lenient reader', async () => {
    const lenient = (text: string) => read(text, [], { isLenient: true });
    expect(shown(await lenient('a,b\n1,"open'))).toBe('a|b / 1|open\n');
    for (const text of ['a,b\n1,2', 'a,b\n1,2\n', 'a,b\r\n1,2\r', 'a,b\n1,"2"'])
      expect(shown(await lenient(text)), text).toBe('a|b / 1|2');
    expect(await lenient('')).toEqual([]);
  });
});

test('a lenient reader stops at a row that is too long', async () => {
  const text = `a,b\n1,2\n"${'x'.repeat(5_000)}\n${'3,4\n'.repeat(1_000)}`;
  const options = { maxRowBytes: 1_000, isLenient: true };
  expect(shown(await read(text, [1_000, 4_000, 6_000], options))).toBe('a|b / 1|2');
});

test('a reader that stops early closes its source', async () => {
  let isClosed = false;
  async function* endless() {
    try {
      for (;;) yield 'a,b\n';
    } finally {
      isClosed = true;
    }
  }
  for await (const row of readCsv(endless(), { maxRowBytes: 100 })) {
    expect(row).toEqual(['a', 'b']);
    break;
  }
  expect(isClosed).toBe(true);
});

test('an error of the source is thrown unchanged', async () => {
  const failure = new Error('the disk failed');
  async function* failing() {
    yield 'a,b\n';
    throw failure;
  }
  await expect(collect(readCsv(failing(), { maxRowBytes: 100 }))).rejects.toBe(failure);
});
