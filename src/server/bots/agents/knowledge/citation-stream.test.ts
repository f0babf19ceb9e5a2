// Tests the citations of a streamed text: in text, in code, in links, and in any pieces.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCitationStream } from './citation-stream.ts';

/** Passages 1 to 9 are sources in the order in which they are cited; 8 is not shown. */
function rewrite(pieces: readonly string[]): string {
  const numbers = new Map<number, number>();
  const stream = createCitationStream((passage) => {
    if (passage > 9 || passage === 0) return undefined;
    if (passage === 8) return null;
    if (!numbers.has(passage)) numbers.set(passage, numbers.size + 1);
    return numbers.get(passage);
  });
  const segments = [...pieces.flatMap((piece) => stream.push(piece)), ...stream.flush()];
  expect(segments.reduce((sum, { length }) => sum + length, 0)).toBe(pieces.join('').length);
  return segments.map(({ text }) => text).join('');
}

const table: [what: string, text: string, expected: string][] = [
  ['the first cited passage is source 1', 'Thirty days [4]. Free [2] [4].', 'Thirty days [1]. Free [2] [1].'],
  ['without a space, and two of them', 'Yes[4][2].', 'Yes[1][2].'],
  ['a list of numbers', 'Yes [4, 2; 4].', 'Yes [1][2].'],
  ['the form of some models', 'Yes \u30104\u2020terms.pdf\u3011.', 'Yes [1].'],
  ['a number that no passage has', 'In [2020] and [12], [0].', 'In [2020] and [12], [0].'],
  ['a passage that is not shown leaves nothing', 'Yes [8]. No [8, 4].', 'Yes. No [1].'],
  ['code in a line', 'Use `a[4]` or ``b`[4]`` [3].', 'Use `a[4]` or ``b`[4]`` [1].'],
  ['a backtick without an end', 'It`s [4].\n\nNext [3].', 'It`s [1].\n\nNext [2].'],
  ['a block of code', '```js\na[4]\n~~~\n```\nYes [4]', '```js\na[4]\n~~~\n```\nYes [1]'],
  ['a block of code without an end', '~~~\na[4]\n', '~~~\na[4]\n'],
  ['a link', '[4](https://a.example) ![4](x) [4]', '[4](https://a.example) ![4](x) [1]'],
  ['the definition of a link', '[4]: https://a.example\n[3] is one.', '[4]: https://a.example\n[1] is one.'],
  ['an escaped bracket', '\\[4] [4]', '\\[4] [1]'],
  ['brackets that begin nothing', 'a [ b [4 c [x] [', 'a [ b [4 c [x] ['],
  ['code that is too long', `\`${'x'.repeat(2_500)}[4]\` [4]`, `\`${'x'.repeat(2_500)}[1]\` [1]`],
  ['very many backticks', `a ${'`'.repeat(5_000)} [4]`, `a ${'`'.repeat(5_000)} [1]`],
  ['very much code', '`a[4]` '.repeat(2_000), '`a[4]` '.repeat(2_000)],
  ['the end of the text', 'Yes [4]', 'Yes [1]'],
  ['nothing', '', ''],
];

test.each(table)('citations: %s', (_, text, expected) => {
  expect(rewrite([text])).toBe(expected);
  expect(rewrite([...text])).toBe(expected);
});

test('citations: the pieces of a text make no difference, and text without numbers stays as it is', () => {
  const marks = ['[1]', '[2', ']', '[', '(', ':', '3, 4]', '[8]', '[10]', '\u3010', '\u3011', '\u2020'];
  const others = ['`', '``', '```', '~~~', '\\', 'word', 'é', '😀', '- ', ' ', '  ', '    ', '\n', '\n\n'];
  const words = fc.constantFrom(...marks, ...others);
  fc.assert(
    fc.property(fc.array(words, { maxLength: 30 }), fc.array(fc.nat(6), { maxLength: 40 }), (all, sizes) => {
      const text = all.join('');
      const pieces: string[] = [];
      let at = 0;
      for (const size of sizes) {
        pieces.push(text.slice(at, at + size));
        at += size;
      }
      pieces.push(text.slice(at));
      const whole = rewrite([text]);
      expect(rewrite(pieces)).toBe(whole);
      const plain = text.replace(/\d/g, 'x');
      expect(rewrite([plain])).toBe(plain);
    }),
    { numRuns: 2_000 },
  );
});

test('citations: text is written as it arrives, except for a possible citation', () => {
  const stream = createCitationStream(() => 1);
  const push = (delta: string) =>
    stream
      .push(delta)
      .map(({ text }) => text)
      .join('');
  expect(push('Thirty days')).toBe('Thirty days');
  expect(push(' [')).toBe('');
  expect(push('4')).toBe('');
  expect(push(']')).toBe('');
  expect(push('. And')).toBe(' [1]. And');
  expect(push(' `co')).toBe(' ');
  expect(push('de`')).toBe('');
  expect(push(' more')).toBe('`code` more');
  // Code that never ends does not hold the text back for ever.
  expect(push('`')).toBe('');
  expect(push('x'.repeat(2_100)).length).toBeGreaterThan(2_000);
});
