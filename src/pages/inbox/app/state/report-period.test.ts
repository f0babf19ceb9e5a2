// Tests of the periods of the reports: over the ends of months and years, and what is in an address.
import { expect, test } from 'vitest';
import { datesOf, periodTextOf } from './report-period.ts';

test('periods of reports: names are dates until today, also over the end of a month, of a year and of a leap February', () => {
  const march: [number, number, number] = [2028, 2, 1];
  expect(datesOf('7d', march)).toEqual({ from: '2028-02-24', to: '2028-03-01' });
  expect(datesOf('30d', march)).toEqual({ from: '2028-02-01', to: '2028-03-01' });
  expect(datesOf('90d', march)).toEqual({ from: '2027-12-03', to: '2028-03-01' });
  expect(datesOf('month', march)).toEqual({ from: '2028-03-01', to: '2028-03-01' });
  expect(datesOf('last-month', march)).toEqual({ from: '2028-02-01', to: '2028-02-29' });
  expect(datesOf('last-month', [2028, 0, 31])).toEqual({ from: '2027-12-01', to: '2027-12-31' });
  expect(datesOf('2027-01-01..2027-01-31', march)).toEqual({ from: '2027-01-01', to: '2027-01-31' });
});

test('periods of reports: what an address names otherwise is the usual period', () => {
  for (const text of ['7d', 'last-month', '2027-01-01..2027-01-31']) expect(periodTextOf(text)).toBe(text);
  for (const text of ['', 'toString', '__proto__', '2027-01-01', '2027-1-1..2027-2-2', 'x..y'])
    expect(periodTextOf(text)).toBe('30d');
});
