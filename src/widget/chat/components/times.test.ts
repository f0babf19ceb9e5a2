// Tests the format of times and days.
import { afterEach, expect, test, vi } from 'vitest';
import { setLanguage } from '../../i18n/current.ts';
import { dayOf, timeOf } from './times.ts';

afterEach(() => {
  setLanguage({ locale: 'en' });
  vi.restoreAllMocks();
});

const now = new Date(2025, 5, 15, 12, 0);

test.each([
  [new Date(2025, 5, 15, 0, 0), 'Today'],
  [new Date(2025, 5, 15, 23, 59), 'Today'],
  [new Date(2025, 5, 14, 23, 59), 'Yesterday'],
  [new Date(2025, 5, 14, 0, 0), 'Yesterday'],
  [new Date(2025, 5, 13, 23, 59), 'Friday, June 13'],
  [new Date(2025, 5, 16, 0, 0), 'Monday, June 16'],
  [new Date(2024, 5, 15), 'Saturday, June 15, 2024'],
])('%s is %s', (date, strings) => expect(dayOf(date, now)).toBe(strings));

test('yesterday can be in another month and year', () => {
  expect(dayOf(new Date(2024, 11, 31, 9), new Date(2025, 0, 1))).toBe('Yesterday');
});

test('times are in the language and region of the chat, also after a change', () => {
  expect(timeOf(new Date(2025, 2, 3, 15, 4).toISOString())).toMatch(/^3:04.PM$/);
  setLanguage({ locale: 'en-GB' });
  expect(timeOf(new Date(2025, 2, 3, 15, 4).toISOString())).toBe('15:04');
  setLanguage({ locale: 'de' });
  expect(dayOf(new Date(2025, 2, 3), now)).toBe('Montag, 3. März');
  expect(timeOf(new Date(2025, 2, 3, 15, 4).toISOString())).toBe('15:04');
});

test.each(['en', 'en-US'])(
  'in %s each minute of a day has the text of the browser’s own format',
  (locale) => {
    setLanguage({ locale });
    const formatter = new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit' });
    for (let minute = 0; minute < 1_440; minute++) {
      const date = new Date(2025, 0, 15, 0, minute);
      expect(timeOf(date.toISOString())).toBe(formatter.format(date).replace(/\s/, ' '));
    }
  },
);

test.each(['en', 'en-US'])('in %s a time needs no formatter', (locale) => {
  setLanguage({ locale });
  const create = vi.spyOn(Intl, 'DateTimeFormat');
  expect(timeOf(new Date(2025, 2, 3, 0, 4).toISOString())).toBe('12:04 AM');
  expect(create).not.toHaveBeenCalled();
});
