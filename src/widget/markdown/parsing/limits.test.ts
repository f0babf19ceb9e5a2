// Tests that no text takes long to parse: such a text is shown as plain text, and the rest of the message is not.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isBlockReadable, isInlineReadable } from './limits.ts';
import { blockToHtml, work } from './parse.ts';

const length = 20_000;
const repeat = (atom: string, size = length) => atom.repeat(Math.ceil(size / atom.length)).slice(0, size);

/** Text that is slow to parse when it is repeated. */
const atoms = [
  ...[
    '*a ',
    '**a ',
    'a* ',
    '*a',
    '_a ',
    'a_',
    '_a*',
    '***a',
    '**a* ',
    '*a**b ',
    '~a ',
    '~~a',
    '~a~~',
    '*a*b',
  ],
  ...[
    '`a',
    '`',
    '``a`',
    '[',
    '[a',
    '[a](',
    '[a]([b](',
    '![',
    '](',
    '[a][b]',
    '[[a]',
    '[`',
    '[a](b "',
    '[a](<',
  ],
  ...[
    '<',
    '<a:',
    '<http://a',
    '<!--',
    '<a b="',
    '&a',
    '&#',
    '\\',
    '\\*',
    '!',
    'a@',
    'a@b',
    'a.',
    'www.',
    'https://a.b',
  ],
  ...[
    '> ',
    '>a\n',
    '> a\nb\n',
    '> > a\nb\n',
    '> - a\nb\n',
    '>',
    '- ',
    '- a\n',
    '- a\n  - b\n',
    '-\n',
    '1. a\n',
    '* * ',
  ],
  ...[
    '- a\nb\n',
    '- a\n===\n',
    '# a\n',
    '===\n',
    'a\n===\n',
    'a\n',
    'a\n  \n',
    '|',
    '|a',
    '|-',
    '|a|\n|-|\n',
    ':-:|',
  ],
  ...[
    '[a]: b\n',
    '[a]: b "\n',
    '["\n',
    '\t',
    '\t- a\n',
    '    a\n',
    '    - a\n',
    '  > a\n',
    ' ',
    '\u{1f600}*',
    '\\`',
    '`\\',
  ],
  ...[
    'x',
    '(',
    ')',
    '"',
    ':',
    'a:b@',
    'mailto:',
    '<div>\n',
    '- [ ] a\n',
    '_a*b_c*',
    '**a*b**c*',
    '*[',
    '![[',
    '[*',
  ],
];

describe('text of one kind', () => {
  test.each(atoms)('%j, repeated', (atom) => {
    for (const text of [
      repeat(atom),
      `${repeat(atom, 4_000)}${repeat('x ', 4_000)}`,
      `${repeat('x ', 4_000)}${atom}`,
    ]) {
      const html = blockToHtml(text, Object.create(null));
      expect(html === undefined || html.length < length * 60).toBe(true);
    }
  });

  test('any two kinds, repeated, are parsed in time', () => {
    const atom = fc.constantFrom(...atoms);
    fc.assert(
      fc.property(atom, atom, atom, fc.nat({ max: length }), (a, b, c, at) => {
        blockToHtml(repeat(a, at) + repeat(b + c, length - at), Object.create(null));
      }),
      { numRuns: 300 },
    );
    // A watchdog and not a measurement: without the limits, one of these texts alone takes longer.
  });
});

test.each([
  ['quotes', '> '.repeat(13)],
  ['lists', '- '.repeat(13)],
  ['quotes in lists', '> - '.repeat(7)],
  ['lists by spaces', `- a\n${' '.repeat(60)}- b`],
  ['spaces', `a${' '.repeat(600)}b`],
  ['cells', `|${'a|'.repeat(100)}\n|${'-|'.repeat(100)}\n${'|\n'.repeat(100)}`],
  ['definitions', '[a]: b\n'.repeat(201)],
  ['lines of a list', '- a\n'.repeat(801)],
  ['characters', 'a b '.repeat(5_001)],
])('too many %s are shown as text, without being parsed by marked', (_, text) => {
  const { calls } = work;
  expect(isBlockReadable(text)).toBe(false);
  expect(blockToHtml(text, Object.create(null))).toBeUndefined();
  expect(work.calls).toBe(calls);
});

test.each([
  ['emphasis', '*a '.repeat(5_000)],
  ['marks in a word', 'a_'.repeat(2_000)],
  ['brackets', '['.repeat(5_000)],
  ['an address', `https://a.test/${'x'.repeat(3_000)}`],
])('too much of %s makes only its own paragraph plain text', (_, text) => {
  expect(isInlineReadable(text)).toBe(false);
  const html = blockToHtml(`- **a**\n- ${text}\n- **b**`, Object.create(null));
  expect(html?.match(/<strong>/g)?.length).toBe(2);
  expect(html).not.toContain('<em>');
});

test('the depth of nested emphasis is limited', () => {
  const html = blockToHtml(`${'*a **b '.repeat(30)}c${'** *'.repeat(30)}`, Object.create(null)) ?? '';
  expect(html.match(/<(em|strong)>/g)?.length ?? 0).toBeLessThan(200);
});

test('texts of people and models are parsed', () => {
  const strings = 'Some **bold** words, `code`, [a link](https://a.test/x_y) and _more_ of them. ';
  expect(isInlineReadable(strings.repeat(12))).toBe(true);
  expect(isBlockReadable(`- ${strings}\n`.repeat(150))).toBe(true);
  expect(
    isBlockReadable(`| a | b | c | d |\n|---|---|---|---|\n${'| one | two | three | four |\n'.repeat(300)}`),
  ).toBe(true);
  expect(isBlockReadable('1. a\n   - b\n     - c\n       > d\n       > - e\n')).toBe(true);
});
