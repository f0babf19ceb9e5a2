// Tests that text that is slow to lay out is limited, and that all other text is not changed.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toDrawable } from './drawable.ts';

const mark = '\u0301';

test('20,000 combining marks on one letter become eight', () => {
  expect(toDrawable(`a${mark.repeat(20_000)}b`)).toBe(`a${mark.repeat(8)}b`);
});

test('a run of unpaired surrogates or control characters becomes one replacement character', () => {
  expect(toDrawable(`a${'\ud800'.repeat(5_000)}b`)).toBe('a\ufffdb');
  expect(toDrawable(`a${'\0'.repeat(5_000)}b`)).toBe('a\ufffdb');
});

test('items of a payload are limited, and the rest of it is kept', () => {
  const payload = {
    type: 'bloc',
    items: [{ type: 'text', text: `e${mark.repeat(9)}`, value: 1 }],
    extra: null,
  };
  expect(toDrawable(payload)).toEqual({
    type: 'bloc',
    items: [{ type: 'text', text: `e${mark.repeat(8)}`, value: 1 }],
    extra: null,
  });
});

test('ordinary text, emoji, line breaks and scripts with marks are not changed', () => {
  const payload = { text: 'Zażółć\n\tgęślą 👩‍👩‍👧 नमस्ते กำ Z͑ͫ̓' };
  expect(toDrawable(payload)).toBe(payload);
});

test('limiting any text twice is the same as limiting it once', () => {
  const unit = fc.constantFrom('a', mark, '\0', '\ud800', '\udc00', ' ', '👍');
  fc.assert(
    fc.property(fc.string({ unit }), (text) => {
      expect(toDrawable(toDrawable(text))).toBe(toDrawable(text));
    }),
  );
});
