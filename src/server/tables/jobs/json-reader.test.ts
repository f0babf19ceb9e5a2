// Tests of the JSON reader: any division into chunks, a list or one object per line, and invalid files.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createJsonReader } from './json-reader.ts';

function read(text: string, cuts: number[] = [], most = 1_000_000): unknown[] {
  const reader = createJsonReader(most);
  const found: unknown[] = [];
  let from = 0;
  for (const cut of [...cuts.sort((a, b) => a - b), text.length]) {
    found.push(...reader.push(text.slice(from, cut)));
    from = cut;
  }
  reader.end();
  return found;
}

test('objects are returned for a list and for lines, with any division into chunks', () => {
  const objects = fc.array(fc.dictionary(fc.string(), fc.jsonValue()));
  fc.assert(
    fc.property(objects, fc.array(fc.nat(500)), fc.boolean(), (all, cuts, lines) => {
      const text = lines
        ? all.map((one) => `${JSON.stringify(one)}\n`).join('')
        : JSON.stringify(all, undefined, 1);
      const within = cuts.map((cut) => cut % (text.length + 1));
      expect(JSON.stringify(read(text, within))).toBe(JSON.stringify(all));
    }),
  );
});

test.each([
  ['a number', '1'],
  ['a list of numbers', '[1, 2]'],
  ['no JSON within', '[{"a": nope}]'],
  ['brackets that do not fit', '[{"a": [}]}]'],
  ['the end of a list missing', '[{"a":1}'],
  ['the end of an object missing', '{"a":{'],
  ['text after the list', '[{}]{}'],
  ['a text', 'hello'],
  ['a comma first', '[,{}]'],
])('refuses %s', (_, text) => {
  expect(() => read(text)).toThrow(/After \d+ objects|after the list/);
});

test('an object that never ends is rejected, and not kept in memory', () => {
  expect(() => read(`{"a":"${'x'.repeat(5_000)}`, [2_000], 1_000)).toThrow('longer than 1000');
});
