// Tests of Markdown as plain text in mails.
import { expect, test } from 'vitest';
import { plainMarkdown } from './plain-markdown.ts';

test.each([
  ['emphasis', '**Important**: *read* _this_, ***now*** ~~later~~', 'Important: read this, now later'],
  ['emphasis in emphasis', '**all *of* it**', 'all of it'],
  ['a link', 'See [the help](https://site.test/a_b_c).', 'See the help (https://site.test/a_b_c).'],
  [
    'an address as a link',
    '[https://a.test](https://a.test) <https://b.test>',
    'https://a.test https://b.test',
  ],
  ['a heading and a quote', '## Prices\n> said', 'Prices\n> said'],
  ['a list', '- **one**\n- two\n\n1. first', '- one\n- two\n\n1. first'],
  ['code', 'Run `a **b** c` or\n```sh\nx **y** `z`\n```\nand *go*', 'Run a **b** c or\nx **y** `z`\nand go'],
  ['escaped marks', '\\*not\\* \\[a\\](b) \\\\', '*not* [a](b) \\'],
  [
    'marks that are words',
    '2 * 3 * 4, 2*3, snake_case_name, #1, C#',
    '2 * 3 * 4, 2*3, snake_case_name, #1, C#',
  ],
  ['an address with underscores', 'https://a.test/_b_/c*d', 'https://a.test/_b_/c*d'],
])('a mail has the words of %s', (_, markdown, expected) => {
  expect(plainMarkdown(markdown)).toBe(expected);
});

test.each(['[', '[](', '*a', '_a ', 'a`', '```', '<https:', '~~a', '* '])(
  'many marks %s are read in linear time',
  (mark) => {
    expect(plainMarkdown(mark.repeat(100_000))).toEqual(expect.any(String));
  },
);
