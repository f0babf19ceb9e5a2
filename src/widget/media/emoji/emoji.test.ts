// Tests the recent emoji, whose list comes from the browser's storage.
import { expect, test } from 'vitest';
import { emojiOf, findEmoji, maxRecent } from './emoji.ts';

const chars = (input: unknown) => findEmoji(input).map(({ char }) => char);

test('each emoji is found once, in the order of the list', () => {
  expect(chars(['🍔', '😀', ...Array(5_000).fill('🍔')])).toEqual(['🍔', '😀']);
});

test('no more are found than the picker keeps', () => {
  const all = emojiOf('food').map(({ char }) => char);
  expect(all.length).toBeGreaterThan(maxRecent);
  expect(chars(['unknown', ...all])).toEqual(all.slice(0, maxRecent));
});

test('what is not an emoji is omitted', () => {
  expect(chars([null, {}, 'a', '😀', 3])).toEqual(['😀']);
  for (const input of [undefined, null, '😀', {}]) expect(chars(input)).toEqual([]);
});
