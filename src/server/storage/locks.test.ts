// Tests of the order in which a work takes several locks.
import { expect, test } from 'vitest';
import { compareLocks, sortLocks } from './locks.ts';

test('locks: are sorted by their kinds, then by their ids, each once', () => {
  expect(sortLocks(['start:', 'table:b', 'bot:b', 'table:a', 'bot:a', 'workspace:z', 'bot:b'])).toEqual([
    'workspace:z',
    'bot:a',
    'bot:b',
    'table:a',
    'table:b',
    'start:',
  ]);
  expect(compareLocks('bot:a', 'bot:a')).toBe(0);
});
