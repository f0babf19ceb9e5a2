// @vitest-environment jsdom
// Tests that the shorter rules for texts without HTML give the same result as those of marked.
import { expect, test } from 'vitest';
import { createRandom } from '../../../../e2e/support/random.ts';
import { blockToHtml } from './parse.ts';

const random = createRandom(20_261_201);
const pieces = [
  ...[
    'word',
    'two words',
    '**bold**',
    '`code`',
    '[link](https://example.org)',
    'a < b',
    'a <b>c</b>',
    '|',
    '&lt;',
  ],
  ...[
    '# ',
    '> ',
    '- ',
    '1. ',
    '    ',
    '```',
    '~~~',
    '---',
    '===',
    '| a | b |',
    '|---|---|',
    ': ',
    '[x]: /y',
    '* * *',
  ],
] as const;

/** A text of some lines, each of some pieces; no line begins with `<`. */
const createText = () =>
  Array.from({ length: random.between(1, 8) }, () =>
    Array.from({ length: random.below(4) }, () => random.pick(pieces)).join(random.pick(['', ' '])),
  ).join('\n');

test('a text without HTML has the same blocks as behind a line of HTML, for which the rules of marked are used', () => {
  const html = blockToHtml('<b>x</b>\n\n', {});
  let blocks = 0;
  for (let i = 0; i < 1_000; i++) {
    const text = createText();
    const expected = blockToHtml(`<b>x</b>\n\n${text}`, {});
    expect([text, `${html}${blockToHtml(text, {})}`]).toEqual([text, expected]);
    blocks += /<(?:blockquote|ul|ol|h\d|table|pre)/.test(expected ?? '') ? 1 : 0;
  }
  expect(blocks).toBeGreaterThan(200);
});
