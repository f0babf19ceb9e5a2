// Tests where the citations of an answer are written.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { limits } from '../../../protocol/limits.ts';
import { createCitations } from './citations.ts';

/** The text of an agent in pieces; before each of them, the answer has `gap` further characters. */
function cite(pieces: { text: string; gap?: string }[], marks: [number: number, end: number][]) {
  const citations = createCitations();
  let text = '';
  for (const piece of pieces) {
    text += (piece.gap ?? '') + piece.text;
    citations.written(piece.text.length, text.length);
  }
  for (const [number, end] of marks) citations.cite(number, end);
  return { ...citations.applied(text), before: text };
}

/** The marks are written as `number@end`. */
test.each<[string, { text: string; gap?: string }[], string, string]>([
  ['no source', [{ text: 'abc' }], '', 'abc'],
  ['the middle and the end', [{ text: 'abc' }, { text: 'def' }], '1@3 2@6', 'abc[1]def[2]'],
  ['several at one place, each once', [{ text: 'abc' }], '2@3 1@3 2@3', 'abc[1][2]'],
  ['out of order', [{ text: 'abcdef' }], '1@6 2@2', 'ab[2]cdef[1]'],
  [
    'after a paragraph that the agent does not count',
    [{ text: 'abc' }, { text: 'def', gap: '\n\n' }],
    '1@3 2@5',
    'abc[1]\n\nde[2]f',
  ],
  ['beyond the end', [{ text: 'abc' }], '1@99', 'abc[1]'],
  ['without text', [], '1@5', '[1]'],
  ['within a character', [{ text: 'a😀b' }], '1@2', 'a😀[1]b'],
  [
    'before a bracket or a colon, which would make a link',
    [{ text: 'ab(c)' }, { text: ': d' }],
    '1@2 2@5',
    'ab[1] (c)[2] : d',
  ],
])('citations: %s', (_, pieces, marks, expected) => {
  const places = [...marks.matchAll(/(\d+)@(\d+)/g)].map(([, number, end]) => [Number(number), Number(end)]);
  expect(cite(pieces, places as [number, number][]).text).toBe(expected);
});

test('citations: without them the text is the same, and each place moves with its text', () => {
  const piece = fc.record({
    text: fc.string({ minLength: 1, unit: fc.constantFrom('a', 'b', ' ') }),
    gap: fc.constantFrom('', '\n\n'),
  });
  const mark = fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 60 }));
  fc.assert(
    fc.property(fc.array(piece), fc.array(mark), (pieces, marks) => {
      const { text, moved, before } = cite(pieces, marks as [number, number][]);
      expect(text.replace(/\[\d\]/g, '')).toBe(before);
      for (let at = 0; at <= before.length; at += 1) {
        expect(text.slice(0, moved(at)).replace(/\[\d\]/g, '')).toBe(before.slice(0, at));
      }
    }),
  );
});

test('of very many citations a limited number is written, each once', () => {
  const text = 'word '.repeat(5_000);
  const ends = Array.from({ length: 20_000 }, (_, at) => at);
  const result = cite(
    [{ text }],
    [...ends, ...ends].map((end) => [1, end]),
  );
  expect(result.text.split('[1]')).toHaveLength(10 * limits.parts.sources + 1);
  expect(result.text.replaceAll('[1]', '')).toBe(text);
});
