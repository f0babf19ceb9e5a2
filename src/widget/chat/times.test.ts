// @vitest-environment jsdom
// Tests times and days as the visitor reads them.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

/** Formatters are kept for the life of a page: each test is a page of its own. */
async function times(lang: string) {
  document.documentElement.lang = lang;
  return import('./times.ts');
}
beforeEach(() => void vi.resetModules());
afterEach(() => document.documentElement.removeAttribute('lang'));

const now = new Date(2025, 5, 15, 12, 0);

test.each([
  [new Date(2025, 5, 15, 0, 0), 'Today'],
  [new Date(2025, 5, 15, 23, 59), 'Today'],
  [new Date(2025, 5, 14, 23, 59), 'Yesterday'],
  [new Date(2025, 5, 14, 0, 0), 'Yesterday'],
  [new Date(2025, 5, 13, 23, 59), 'Friday, June 13'],
  [new Date(2025, 5, 16, 0, 0), 'Monday, June 16'],
  [new Date(2024, 5, 15), 'Saturday, June 15, 2024'],
])('%s is %s', async (date, words) => expect((await times('en')).dayOf(date, now)).toBe(words));

test('yesterday may be in another month and year', async () => {
  const { dayOf } = await times('en');
  expect(dayOf(new Date(2024, 11, 31, 9), new Date(2025, 0, 1))).toBe('Yesterday');
});

test('in the language of the page', async () => {
  const { dayOf, timeOf } = await times('de');
  expect(dayOf(new Date(2025, 2, 3), now)).toBe('Montag, 3. März');
  expect(timeOf(new Date(2025, 2, 3, 15, 4).toISOString())).toBe('15:04');
});

test.each(['', 'not a language', 'x', 'en_US'])('a page whose lang is %j still has times', async (lang) => {
  const { timeOf } = await times(lang);
  expect(timeOf(new Date(2025, 2, 3, 15, 4).toISOString())).toMatch(/0?3:04|15:04/);
});
