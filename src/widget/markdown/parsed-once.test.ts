// @vitest-environment jsdom
// Tests that a text which is drawn again, for example on reading down, is not parsed again.
import { expect, test } from 'vitest';
import { work } from './parsing/parse.ts';
import { show } from './testing.ts';

const count = (draw: () => unknown) => {
  const before = work.calls;
  draw();
  return work.calls - before;
};

test('a finished text is parsed once, however often it is drawn', () => {
  const text =
    'One **paragraph**.\n\n- a list\n- of two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nAn [address](https://a.test).';
  let first: HTMLElement | undefined;
  expect(
    count(() => {
      first = show(text);
    }),
  ).toBe(4);
  let second: HTMLElement | undefined;
  expect(
    count(() => {
      second = show(text);
    }),
  ).toBe(0);
  expect(second?.innerHTML).toBe(first?.innerHTML);
});

test('a reference has the address of its own message', () => {
  const text = (address: string) => `[here]: ${address}\n\nLook [here].`;
  expect(show(text('https://a.test')).querySelector('a')?.href).toBe('https://a.test/');
  expect(show(text('https://b.test')).querySelector('a')?.href).toBe('https://b.test/');
  expect(show('Look [here].').querySelector('a')).toBeNull();
  expect(show(`Look [here].\n\n[here]: https://c.test`).querySelector('a')?.href).toBe('https://c.test/');
});

test('a long conversation is remembered, also its long blocks', () => {
  const list = Array.from({ length: 60 }, (_, i) => `- item ${i} of a **long** list`).join('\n');
  show(list);
  for (let i = 0; i < 2_100; i += 100) show(Array.from({ length: 100 }, (_, n) => `${i + n}`).join('\n\n'));
  expect(count(() => show(list))).toBe(0);
  expect(count(() => show('0'))).toBe(0);
});

test('the number of remembered characters is limited', () => {
  show('the first **one**');
  // Not parsed, because of its gap, and remembered as such.
  for (let i = 0; i < 120; i++) show(`${i}${' '.repeat(600)}${'word '.repeat(3_600)}`);
  expect(count(() => show('the first **one**'))).toBe(1);
  expect(count(() => show('the first **one**'))).toBe(0);
});
