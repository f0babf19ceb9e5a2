// Tests of the last day of a token.
import { expect, test } from 'vitest';
import { dayOf, expiryOf } from './token-expiry.ts';

const end = '2026-12-31T12:00:00.000Z';

test('a token ends with its last day, and with the session at the latest', () => {
  expect(expiryOf('2026-12-20', end)).toBe(new Date('2026-12-20T23:59:59.999').toISOString());
  for (const day of ['2027-01-05', '2026-13-45', '']) expect(expiryOf(day, end)).toBe(end);
});

test('the day of the end of the session is offered, and gives its time', () => {
  const time = new Date(2026, 0, 5, 9, 30).toISOString();
  expect(dayOf(time)).toBe('2026-01-05');
  expect(expiryOf(dayOf(time), time)).toBe(time);
});
