// Tests the initial of a name.
import { describe, expect, test, vi } from 'vitest';
import { initialOf } from './initial.ts';

const names = [
  ['ada', 'A'],
  ['  Ada', 'A'],
  ['🇩🇪 Support', '🇩🇪'],
  ['E\u0301milie', 'E\u0301'],
  ['e\u0301milie', 'E\u0301'],
  ['👩‍👩‍👧‍👦 Family', '👩‍👩‍👧‍👦'],
  ['👍🏽 Good', '👍🏽'],
  ['❤️ Love', '❤️'],
  ['1️⃣ First', '1️⃣'],
  ['𝒜da', '𝒜'],
  ['ßan', 'S'],
  ['नी', 'नी'],
  ['王', '王'],
  ['   ', ''],
  ['', ''],
] as const;

describe.each(['with Intl.Segmenter', 'without Intl.Segmenter'])('%s', (support) => {
  test.each(names)('the initial of %j is %j', (name, initial) => {
    if (support.startsWith('without')) vi.stubGlobal('Intl', { ...Intl, Segmenter: undefined });
    expect(initialOf(name)).toBe(initial);
  });
});
