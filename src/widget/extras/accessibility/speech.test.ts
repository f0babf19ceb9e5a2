// Tests the announcement of each kind of message.
import { expect, test } from 'vitest';
import type { Payload } from '../../../protocol/message.ts';
import { toSpeech } from './speech.ts';

const speechOf = (payload: object) => toSpeech(payload as Payload);
const md = (markdown: string) => speechOf({ type: 'markdown', markdown });

test.each([
  [
    'marks are not read',
    '## A *title*\n\nSome **bold**, `code` and ~~old~~ words.',
    'A title\nSome bold, code and old words.',
  ],
  ['words keep their underscores and stars', 'snake_case and 2*3*4', 'snake_case and 2*3*4'],
  ['links by their words', 'See [the docs](https://example.org/a_b).', 'See the docs.'],
  [
    'pictures by their names',
    'Look: ![A cat](https://example.org/c.png) ![](x)',
    'Look: Picture: A cat Picture',
  ],
  ['lists without their marks, numbers stay', '- one\n- [x] two\n\n1. three', 'one\ntwo\n1. three'],
  ['code is named', 'Before\n```js\nplatform.open();\n```\nafter', 'Before\nCode: js\nafter'],
  ['code without a language, not closed', 'So:\n~~~\n# not a title', 'So:\nCode'],
  ['a fence inside a longer fence', '````md\n```\nx\n```\n````\nend', 'Code: md\nend'],
  [
    'a table is named by its heads',
    '| Plan | Price |\n|---|---:|\n| Basic | 0 |\n| Team | 10 |\n\nEnd',
    'Table: Plan, Price\nEnd',
  ],
  ['a rule is not a table', 'A title\n---\nText', 'A title\nText'],
  ['quotations', '> wise\n> words', 'wise\nwords'],
  [
    'formulas without TeX',
    'So $x_{1,2} = \\frac{-b \\pm \\sqrt{b^2 - 4ac}}{2a}$.',
    'So x(1,2) = (-b ± √(b^2 - 4ac)) / (2a).',
  ],
  [
    'formulas in all brackets',
    '\\(\\alpha \\le 1\\)\n\n\\[\\sum_{i=1}^{n} i^{2}\\]\n\n$$\n\\text{area} = \\pi r^2\n$$',
    'alpha ≤ 1\n∑ (i=1)^n i^2\narea = pi r^2',
  ],
  [
    'prices and words are not formulas',
    'From $5 to $10, $a lot of words$ or \\$3',
    'From $5 to $10, $a lot of words$ or \\$3',
  ],
  [
    'nested and unfinished formulas',
    '$\\frac{\\frac{a}{b}}{\\text{c d}}$ and $\\frac{a$',
    '(a / b) / (c d) and frac a',
  ],
])('%s', (_, markdown, speech) => {
  expect(md(markdown)).toBe(speech);
});

test('other types are named, addresses are not read', () => {
  expect(speechOf({ type: 'image', imageUrl: 'https://a.test/1', title: 'A drawing' })).toBe(
    'Picture: A drawing',
  );
  expect(speechOf({ type: 'audio', audioUrl: 'https://a.test/1' })).toBe('Audio');
  expect(
    speechOf({
      type: 'bloc',
      items: [
        { type: 'text', text: 'Look' },
        { type: 'image', payload: { imageUrl: 'https://a.test/1' } },
        { type: 'markdown', markdown: '**so**' },
      ],
    }),
  ).toBe('Look\nPicture\nso');
  expect(
    speechOf({
      type: 'carousel',
      items: [
        { title: 'A', subtitle: 'a' },
        { type: 'card', payload: { title: 'B' } },
      ],
    }),
  ).toBe('Cards: A, B');
  expect(
    speechOf({
      type: 'card',
      title: 'Plan',
      subtitle: 'For one',
      imageUrl: 'https://a.test/1',
      actions: [{ label: 'Buy' }],
    }),
  ).toBe('Plan\nFor one\nBuy');
});

test('any shape results in a text and never throws', () => {
  for (const payload of [
    {},
    { type: 'bloc', items: [null, 7, { items: [{ items: [{ items: [{ type: 'text', text: 'deep' }] }] }] }] },
    { type: 'toString' },
    { type: 'markdown', markdown: 7 },
    { type: 'image', title: {} },
  ]) {
    expect(typeof speechOf(payload)).toBe('string');
  }
});

test('long and hostile texts are cut, and processed in time', () => {
  expect(md('word '.repeat(1_000)).length).toBeLessThan(2_010);
  for (const piece of [
    '*',
    '[',
    '`',
    '|',
    '- ',
    '> ',
    '~',
    '\n',
    ' ',
    '|-',
    '![',
    '$',
    '$$',
    '$a',
    '\\(',
    '\\[',
    '{',
    '\\frac{',
    '```\n',
    '_a',
  ]) {
    expect(typeof md(piece.repeat(50_000))).toBe('string');
  }
});
