// Conversion between instants and wall time in a time zone, and calendar days, by the time zones of the runtime (Intl). Pure.
// Why not `luxon` or a polyfill of Temporal: two conversions do not need 20 KB or more (decision 152).

/** Date and time on a clock in a time zone. */
export interface WallTime {
  year: number;
  /** 1 to 12. */
  month: number;
  day: number;
  hour: number;
  minute: number;
}

const dayMs = 24 * 60 * 60_000;
const formats = new Map<string, Intl.DateTimeFormat>();

/** Names only: runtimes differ in whether they take offsets such as `+01:00`. */
const names = /^[A-Za-z][\w+/-]{0,63}$/;

/** Whether this runtime knows a time zone by this name of the IANA database. */
export function isTimeZone(name: string): boolean {
  if (!names.test(name)) return false;
  try {
    return formatOf(name) !== undefined;
  } catch {
    return false;
  }
}

/**
 * The time zone that this runtime reports. The first `Intl.DateTimeFormat` of a page takes Chromium 35 ms; `Temporal` (Chrome 144,
 * Firefox 139) does without one.
 */
export const reportedTimeZone = (): string =>
  (globalThis as { Temporal?: { Now: { timeZoneId(): string } } }).Temporal?.Now.timeZoneId() ??
  Intl.DateTimeFormat().resolvedOptions().timeZone;

/**
 * The time zone of this runtime, as servers know it. Chromium reports `Etc/Unknown` where the system has none of the database,
 * and refuses that name itself.
 */
export function ownTimeZone(reported = reportedTimeZone()): string {
  return isTimeZone(reported) ? reported : 'UTC';
}

/** Creating a format takes a millisecond; there are at most some hundred zones. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      calendar: 'iso8601',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    formats.set(timeZone, format);
  }
  return format;
}

/** The clock of a zone at an instant, in milliseconds since 1970, as if the zone were UTC. */
function wallMs(timeZone: string, instant: number): number {
  const read: Record<string, number> = {};
  for (const { type, value } of formatOf(timeZone).formatToParts(instant)) read[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = read;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/** @param instant in milliseconds since 1970 */
export function wallTimeOf(timeZone: string, instant: number): WallTime {
  const wall = new Date(wallMs(timeZone, instant));
  return {
    year: wall.getUTCFullYear(),
    month: wall.getUTCMonth() + 1,
    day: wall.getUTCDate(),
    hour: wall.getUTCHours(),
    minute: wall.getUTCMinutes(),
  };
}

/**
 * The instant at which the clock shows this time, in milliseconds since 1970. For a time that the clock shows twice, the first
 * one. For a time that it leaves out, as much after the gap as the time is after its beginning (as `compatible` of Temporal).
 */
export function instantOf(timeZone: string, { year, month, day, hour, minute }: WallTime): number {
  const wall = Date.UTC(year, month - 1, day, hour, minute);
  const offsetAt = (instant: number) => wallMs(timeZone, instant) - Math.floor(instant / 1_000) * 1_000;
  // The clock is changed once in two days, at most.
  const before = wall - offsetAt(wall - dayMs);
  const after = wall - offsetAt(wall + dayMs);
  if (wallMs(timeZone, before) === wall)
    return Math.min(before, wallMs(timeZone, after) === wall ? after : before);
  return wallMs(timeZone, after) === wall ? after : before;
}

/** A day: from its first millisecond up to that of the next day. */
export interface CalendarDay {
  /** Such as `2026-12-24`. */
  date: string;
  from: number;
  to: number;
}

/** The number of days from a date to another one, both inclusive; 0 or less if the second one is before the first one. */
export const countDays = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / dayMs) + 1;

/** The days from a date to another one, both inclusive. A day on which the clock is changed has not 24 hours. */
export function daysOf({
  from,
  to,
  timeZone,
}: {
  from: string;
  to: string;
  timeZone: string;
}): CalendarDay[] {
  const days: CalendarDay[] = [];
  const last = Date.parse(to);
  for (let at = Date.parse(from); at <= last; at += dayMs)
    days.push({
      date: new Date(at).toISOString().slice(0, 10),
      from: startOf(timeZone, at),
      to: startOf(timeZone, at + dayMs),
    });
  return days;
}

/** The index of the day that contains an instant; -1 if none of them does. */
export function dayIndexOf(days: readonly CalendarDay[], instant: number): number {
  let [low, high] = [0, days.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const day = days[middle];
    if (!day) return -1;
    if (instant < day.from) high = middle - 1;
    else if (instant >= day.to) low = middle + 1;
    else return middle;
  }
  return -1;
}

/** The instant at which a day begins: where the clock leaves midnight out, the first instant after the gap. */
function startOf(timeZone: string, utcMidnight: number): number {
  const date = new Date(utcMidnight);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()];
  return instantOf(timeZone, { year, month, day, hour: 0, minute: 0 });
}
