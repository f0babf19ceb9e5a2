// Tests of the preview of a Markdown message.
import { expect, test } from 'vitest';
import { withoutMarks } from './markdown-marks.ts';

test.each([
  ['a table', 'Plans:\n\n| Plan | Price |\n|:---|---:|\n| Basic | 9 |', 'Plans: Plan Price Basic 9'],
  ['a table without outer bars', 'Plan | Price\n--- | ---\nBasic | 9', 'Plan Price Basic 9'],
  ['a rule', 'Before\n\n---\n\nAfter', 'Before After'],
  [
    'a link and a picture',
    'See [the help](https://site.test/a) ![Photo](https://site.test/b.png)',
    'See the help Photo',
  ],
  ['emphasis and code', '**Bold**, _italic_ and `code`', 'Bold, italic and code'],
  ['headings and quotes', '## Prices\n> > said\n>so', 'Prices said so'],
  ['marks that are words', 'C#, 5 > 3, 2 * 3 ~ 6, snake_case, #1', 'C#, 5 > 3, 2 * 3 ~ 6, snake_case, #1'],
  ['nothing but marks', '***', '***'],
  ['a list, a minus and a time', '- one\n- 5 - 3 at 10:30', '- one - 5 - 3 at 10:30'],
])('the preview of %s has its words without marks', (_, markdown, expected) => {
  expect(withoutMarks(markdown).replace(/\s+/g, ' ').trim()).toBe(expected);
});

test('a long line of marks is read in linear time', () => {
  expect(withoutMarks(`${'|-: '.repeat(250)}x`).replace(/\s+/g, '')).toContain('x');
});
