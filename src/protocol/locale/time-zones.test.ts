// Tests of the days of a period: summer time, zones that change by half an hour, and days without midnight.
import { expect, test } from 'vitest';
import { countDays, dayIndexOf, daysOf, wallTimeOf } from './time-zones.ts';

const hour = 60 * 60_000;
const hoursOf = (from: string, to: string, timeZone: string) =>
  daysOf({ from, to, timeZone }).map((day) => [day.date, (day.to - day.from) / hour]);

test('days: the days on which the clock is changed are longer or shorter, and no instant is in two days or in none', () => {
  expect(hoursOf('2026-03-28', '2026-03-30', 'Europe/Berlin')).toEqual([
    ['2026-03-28', 24],
    ['2026-03-29', 23],
    ['2026-03-30', 24],
  ]);
  expect(hoursOf('2026-10-25', '2026-10-25', 'Europe/Berlin')).toEqual([['2026-10-25', 25]]);
  // By half an hour, on the southern half of the earth.
  expect(hoursOf('2026-04-05', '2026-04-05', 'Australia/Lord_Howe')).toEqual([['2026-04-05', 24.5]]);
  expect(hoursOf('2026-10-04', '2026-10-04', 'Australia/Lord_Howe')).toEqual([['2026-10-04', 23.5]]);
  // The clock leaves midnight out: the day begins at 1:00.
  expect(hoursOf('2026-04-24', '2026-04-24', 'Africa/Cairo')).toEqual([['2026-04-24', 23]]);
  for (const timeZone of ['UTC', 'Europe/Berlin', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'Africa/Cairo']) {
    const days = daysOf({ from: '2027-12-30', to: '2028-12-29', timeZone });
    expect(days).toHaveLength(366);
    for (const [index, day] of days.entries()) {
      expect(day.from).toBe(days[index - 1]?.to ?? day.from);
      expect(dayIndexOf(days, day.from)).toBe(index);
      expect(dayIndexOf(days, day.to - 1)).toBe(index);
      const { year, month, day: date } = wallTimeOf(timeZone, day.to - 1);
      expect(day.date).toBe(new Date(Date.UTC(year, month - 1, date)).toISOString().slice(0, 10));
      // Figures are counted by quarters of an hour.
      expect(day.from % (hour / 4)).toBe(0);
    }
    expect(days.map(({ date }) => date)).toContain('2028-02-29');
    expect(dayIndexOf(days, (days[0]?.from ?? 0) - 1)).toBe(-1);
    expect(dayIndexOf(days, days.at(-1)?.to ?? 0)).toBe(-1);
  }
});

test('days: a period that ends before it begins has no days', () => {
  expect(countDays('2026-03-28', '2026-03-28')).toBe(1);
  expect(countDays('2026-03-28', '2026-03-27')).toBe(0);
  expect(daysOf({ from: '2026-03-28', to: '2026-03-20', timeZone: 'UTC' })).toEqual([]);
  expect(dayIndexOf([], 0)).toBe(-1);
});
