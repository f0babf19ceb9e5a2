// Tests of opening hours against a count minute by minute, over every kind of change of the clock.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { instantOf, isTimeZone, ownTimeZone, wallTimeOf } from './locale/time-zones.ts';
import { type Hours, hoursStatus, type OpeningHours, weekdays } from './opening-hours.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const at = (text: string): number => Date.parse(text);

/** Zones and days with what is hard: both summer-time changes, a change of 30 minutes, a leap day. */
const places = [
  ['Europe/Berlin', '2026-03-29T00:00:00Z'],
  ['Europe/Berlin', '2026-10-25T00:00:00Z'],
  ['America/New_York', '2026-11-01T05:00:00Z'],
  ['Australia/Lord_Howe', '2026-04-04T15:00:00Z'],
  ['Australia/Lord_Howe', '2026-10-03T15:30:00Z'],
  ['America/Sao_Paulo', '2028-02-29T12:00:00Z'],
  ['Asia/Kathmandu', '2028-02-29T00:00:00Z'],
  // The clock is changed at midnight.
  ['America/Havana', '2026-03-08T05:00:00Z'],
  ['Africa/Cairo', '2026-04-23T22:00:00Z'],
] as const;

/**
 * Minute by minute, whether somebody answers, from `from` on. Each hour on the clock is looked for among the minutes, and one
 * that the clock leaves out is as much after the gap as it is after its beginning.
 */
function count(hours: OpeningHours, from: number, minutes: number): boolean[] {
  const begin = from - 3 * dayMs;
  const walls: string[] = [];
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone: hours.timeZone,
    dateStyle: 'short',
    timeStyle: 'short',
  });
  for (let m = 0; m < minutes + 7 * 24 * 60; m += 1) walls.push(format.format(begin + m * minuteMs));
  const first = new Map<string, number>();
  for (const [index, wall] of walls.entries()) if (!first.has(wall)) first.set(wall, index);
  const wallMinutes = (wall: string) => at(`${wall.replace(' ', 'T')}:00Z`) / minuteMs;
  const find = (wall: string): number | undefined => {
    const cached = first.get(wall);
    if (cached !== undefined) return cached;
    const after = walls.findIndex((each, index) => each > wall && (walls[index - 1] ?? '') < wall);
    if (after < 1) return undefined;
    const gap = wallMinutes(walls[after] ?? '') - wallMinutes(walls[after - 1] ?? '') - 1;
    return first.get(
      new Date((wallMinutes(wall) + gap) * minuteMs).toISOString().slice(0, 16).replace('T', ' '),
    );
  };
  const open = walls.map(() => false);
  const firstDate = at(`${walls[0]?.slice(0, 10)}T00:00:00Z`);
  for (let day = 0; day < walls.length / (24 * 60) + 1; day += 1) {
    const date = new Date(firstDate + day * dayMs);
    const text = date.toISOString().slice(0, 10);
    const own = hours.exceptions.find((each) => each.from <= text && text <= each.to)?.intervals;
    for (const [start, end] of own ?? hours.week[weekdays[date.getUTCDay()] ?? 'sun'] ?? []) {
      const isNextDay = end <= start || end === '24:00';
      const endDate = new Date(date.getTime() + (isNextDay ? dayMs : 0)).toISOString().slice(0, 10);
      const [a, b] = [find(`${text} ${start}`), find(`${endDate} ${end === '24:00' ? '00:00' : end}`)];
      if (a !== undefined && b !== undefined) open.fill(true, a, Math.max(a, b));
    }
  }
  const offset = Math.round((from - begin) / minuteMs);
  return open.slice(offset, offset + minutes);
}

const clock = fc
  .tuple(fc.nat({ max: 23 }), fc.constantFrom(0, 15, 30, 45, 59))
  .map(([hour, minute]) => `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`);
const hours: fc.Arbitrary<Hours> = fc.tuple(clock, fc.oneof(clock, fc.constant('24:00')));
const intervals = fc.array(hours, { maxLength: 3 });
const week = fc.record(Object.fromEntries(weekdays.map((day) => [day, intervals])), { requiredKeys: [] });

test('open and closed agree with a count minute by minute, and so does the next change', () => {
  const plan = fc.record({
    place: fc.constantFrom(...places),
    week,
    // Before, on and after the day of the change.
    exceptions: fc.array(
      fc.record({ from: fc.integer({ min: -2, max: 2 }), length: fc.nat({ max: 1 }), intervals }),
      { maxLength: 2 },
    ),
    start: fc.integer({ min: -36 * 60, max: 24 * 60 }),
  });
  fc.assert(
    fc.property(plan, ({ place: [timeZone, change], week, exceptions, start }) => {
      const dateOf = (days: number) => new Date(at(change) + days * dayMs).toISOString().slice(0, 10);
      const hours: OpeningHours = {
        timeZone,
        week,
        exceptions: exceptions.map(({ from, length, intervals: own }) => ({
          from: dateOf(from),
          to: dateOf(from + length),
          intervals: own,
        })),
      };
      const from = at(change) + start * minuteMs;
      const counted = count(hours, from, 36 * 60);
      for (let minute = 0; minute < counted.length; minute += 13) {
        const now = from + minute * minuteMs;
        const status = hoursStatus(hours, now);
        const expected = counted[minute] === true;
        expect([new Date(now).toISOString(), status.isOpen]).toEqual([new Date(now).toISOString(), expected]);
        const next = counted.findIndex((open, index) => index > minute && open !== expected);
        if (next < 0) continue;
        expect(expected ? status.closesAt : status.opensAt).toBe(from + next * minuteMs);
      }
    }),
    { numRuns: 60 },
  );
});

describe('times on the clock', () => {
  test('that are left out come after the gap, and of those that come twice the first one counts', () => {
    const wall = (hour: number, minute: number, day: number, month: number) => ({
      ...{ year: 2026, month, day, hour, minute },
    });
    expect(instantOf('Europe/Berlin', wall(2, 30, 29, 3))).toBe(at('2026-03-29T01:30:00Z'));
    expect(instantOf('Europe/Berlin', wall(2, 30, 25, 10))).toBe(at('2026-10-25T00:30:00Z'));
    expect(instantOf('Australia/Lord_Howe', wall(2, 15, 4, 10))).toBe(at('2026-10-03T15:45:00Z'));
    const day = {
      timeZone: 'America/New_York',
      week: { sun: [['00:00', '24:00']] as Hours[] },
      exceptions: [],
    };
    const opensAt = at('2026-11-01T04:00:00Z');
    expect(hoursStatus(day, opensAt).closesAt).toBe(opensAt + 25 * 60 * minuteMs);
  });

  test('the times on the clock of any instant lead back to it, unless the clock shows them twice', () => {
    const instant = fc.integer({
      min: at('2020-01-01T00:00:00Z') / minuteMs,
      max: at('2035-01-01T00:00:00Z') / minuteMs,
    });
    fc.assert(
      fc.property(fc.constantFrom(...places), instant, ([timeZone], minutes) => {
        const instant = minutes * minuteMs;
        const back = instantOf(timeZone, wallTimeOf(timeZone, instant));
        expect(wallTimeOf(timeZone, back)).toEqual(wallTimeOf(timeZone, instant));
        expect(back).toBeLessThanOrEqual(instant);
      }),
    );
  });

  test.each(['Europe/Berlin', 'UTC', 'Etc/GMT+5', 'America/Argentina/Buenos_Aires'])(
    '%s is a zone',
    (name) => {
      expect(isTimeZone(name)).toBe(true);
    },
  );
  test.each(['', '+01:00', 'Nowhere/City', 'Europe/Berlin ', '../etc', 'x'.repeat(100)])(
    '%j is none',
    (name) => {
      expect(isTimeZone(name)).toBe(false);
    },
  );
});

test('a zone of the system that no database has, as Chromium reports it, is UTC', () => {
  expect(['Etc/Unknown', 'Asia/Tokyo'].map((name) => ownTimeZone(name))).toEqual(['UTC', 'Asia/Tokyo']);
});

test('without hours, and always, somebody answers at any time; hours that never come have no end to search', () => {
  const now = at('2026-01-01T00:00:00Z');
  const never = { timeZone: 'UTC', week: {}, exceptions: [] };
  expect(hoursStatus(undefined, now)).toEqual({ isOpen: true });
  expect(hoursStatus({ ...never, always: true }, now)).toEqual({ isOpen: true });
  expect(hoursStatus(never, now)).toEqual({ isOpen: false });
  const days = Object.fromEntries(weekdays.map((day) => [day, [['00:00', '24:00']] as Hours[]]));
  expect(hoursStatus({ ...never, week: days }, now)).toEqual({ isOpen: true });
});
