// Tests of tables, sizes, colors and the bar: no text breaks its line or controls the terminal, at any width.
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyText } from '../protocol/any-text.testing.ts';
import { oneLine } from './errors.ts';
import type { Io } from './io.ts';
import { paint, printTable, sizeOf } from './output.ts';
import { barOf } from './push.ts';

function terminal(isTTY: boolean, env: Record<string, string> = {}) {
  let text = '';
  const output = { isTTY, write: (more: string) => (text += more) };
  const { signal } = new AbortController();
  const io: Io = { stdin: Readable.from([]), stdout: output, stderr: output, env, signal };
  return { io, text: () => text };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the test searches for them.
const control = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

test('printed text never contains a control character or a line break', () => {
  fc.assert(fc.property(anyText(), (text) => !control.test(oneLine(text))));
  expect(oneLine('a\u001b[2Jb\r\nc\u009b31m\u0000')).toBe('a [2Jb c 31m');
});

test('a table has one line per row, with aligned columns', () => {
  const { io, text } = terminal(false);
  printTable(
    io,
    ['ID', 'NAME'],
    [
      ['1', 'a\n\u001b[31mb'],
      ['22', undefined],
      ['3', '😀😀x'],
    ],
    'nothing',
  );
  expect(text()).toBe('ID  NAME\n1   a [31mb\n22  -\n3   😀😀x\n');
});

test('an empty table prints its message', () => {
  const { io, text } = terminal(false);
  printTable(io, ['ID'], [], 'There is none.');
  expect(text()).toBe('There is none.\n');
});

test.each([
  [true, {}, true],
  [true, { NO_COLOR: '1' }, false],
  [true, { NO_COLOR: '' }, true],
  [true, { TERM: 'dumb' }, false],
  [false, {}, false],
])('on a terminal (%s) with %j, text is colored: %s', (isTTY, env, isPainted) => {
  const { io } = terminal(isTTY, env);
  expect(paint('red', 'x', io.stdout, io)).toBe(isPainted ? '\u001b[31mx\u001b[39m' : 'x');
});

test.each([
  [0, '0 bytes'],
  [999, '999 bytes'],
  [1_000, '1.0 KB'],
  [1_234_567, '1.2 MB'],
  [1_000_000_000, '1.0 GB'],
  [5e16, '50000.0 TB'],
])('%d bytes are printed with a unit', (bytes, expected) => {
  expect(sizeOf(bytes)).toBe(expected);
});

test('the bar is one line that is never wider than the terminal, at any progress of any push', () => {
  const where = fc.record({
    at: fc.nat(2_000_000),
    bytes: fc.nat(1_000_000),
    doneFiles: fc.nat(10),
    total: fc.nat(10),
    last: anyText(),
    columns: fc.integer({ min: 1, max: 300 }),
  });
  fc.assert(
    fc.property(where, (one) => {
      const line = barOf(one);
      expect([...line].length).toBeLessThanOrEqual(Math.max(1, one.columns - 1));
      expect(line).not.toMatch(control);
    }),
  );
  const done = barOf({ at: 5, bytes: 5, doneFiles: 1, total: 1, last: '', columns: 200 });
  expect(done).toContain(`${'█'.repeat(24)} 100%  1/1 files  5 bytes of 5 bytes`);
});
