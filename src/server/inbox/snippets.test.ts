// Tests of the part of a text that a search shows.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { searchedBeginnings } from '../storage/inbox/searched-texts.ts';
import { snippetOf } from './snippets.ts';

const show = (text: string, q: string) => {
  const { text: shown, marks } = snippetOf(text, searchedBeginnings(q, 8));
  let marked = '';
  let end = 0;
  for (const [from, to] of marks) {
    marked += `${shown.slice(end, from)}[${shown.slice(from, to)}]`;
    end = to;
  }
  return marked + shown.slice(end);
};

test.each([
  ['Where is my order?', 'ord', 'Where is my [ord]er?'],
  ['Border order', 'order', 'Border [order]'],
  ['Hauptstraße', 'hauptstrasse', '[Hauptstraße]'],
  ['Über Žilina', 'zilina uber', '[Über] [Žilina]'],
  ['我的订单在哪里', '订单在', '我的[订单在]哪里'],
  ['abc订单def', 'def', 'abc订单[def]'],
  ['co\u00adoperate', 'cooperate', '[co\u00adoperate]'],
  ['nothing', 'else', 'nothing'],
  [
    `${'word '.repeat(100)}order here${' word'.repeat(100)}`,
    'order',
    `…${'word '.repeat(7)}[order] here${' word'.repeat(23)}…`,
  ],
])('%s, searched for %s', (text, q, expected) => {
  expect(show(text, q)).toBe(expected);
});

test('a snippet of any text is a part of it, and its marks are in order and within it', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 400 }),
      fc.string({ unit: 'grapheme', maxLength: 4 }),
      (text, q) => {
        const { text: shown, marks } = snippetOf(text, searchedBeginnings(q, 8));
        const part = shown.replace(/^…|…$/g, '');
        expect(text.replace(/\s/g, ' ')).toContain(part);
        let last = 0;
        for (const [from, to] of marks) {
          expect(from).toBeGreaterThanOrEqual(last);
          expect(to).toBeGreaterThan(from);
          expect(to).toBeLessThanOrEqual(shown.length);
          last = to;
        }
      },
    ),
  );
});
