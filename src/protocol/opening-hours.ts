// When a team answers: hours on the clock of a time zone, with exceptions. Pure; the server decides, and the settings show it.
import { instantOf, wallTimeOf } from './locale/time-zones.ts';
import type { OpeningHours } from './types/inbox.ts';

export type { Hours, HoursException, OpeningHours } from './types/inbox.ts';

/** The days of a week, from Sunday on, as in `Date.getDay()`. */
export const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;
export type Weekday = (typeof weekdays)[number];

/** Whether somebody answers, and until when that is so. Instants in milliseconds since 1970. */
export interface HoursStatus {
  isOpen: boolean;
  /** When it closes; undefined if it is closed, or if that is more than two weeks away. */
  closesAt?: number;
  /** When it opens; undefined if it is open, or does not open within a year. */
  opensAt?: number;
}

interface Span {
  from: number;
  to: number;
}

const dayMs = 24 * 60 * 60_000;
/** Days that are searched for the next opening, and for the next closing. */
const horizonDays = 366;
const closingDays = 14;

/** Whether somebody answers at an instant, in milliseconds since 1970. Without hours, always. */
export function hoursStatus(hours: OpeningHours | undefined, now: number): HoursStatus {
  if (!hours || hours.always) return { isOpen: true };
  let closesAt: number | undefined;
  for (const { from, to } of spansAfter(hours, now)) {
    // Spans are in the order of their days, and can overlap those of the day before.
    if (closesAt === undefined ? from > now : from > closesAt) {
      return closesAt === undefined ? { isOpen: false, opensAt: from } : { isOpen: true, closesAt };
    }
    closesAt = Math.max(closesAt ?? 0, to);
    if (closesAt > now + closingDays * dayMs) return { isOpen: true };
  }
  return closesAt === undefined ? { isOpen: false } : { isOpen: true, closesAt };
}

/** The times of opening that end after an instant, by their beginnings, of a year. */
function* spansAfter({ timeZone, week, exceptions }: OpeningHours, instant: number): Generator<Span> {
  const { year, month, day } = wallTimeOf(timeZone, instant);
  const today = Date.UTC(year, month - 1, day);
  // The hours of yesterday can end today.
  for (let offset = -1; offset <= horizonDays; offset += 1) {
    const date = new Date(today + offset * dayMs);
    const text = date.toISOString().slice(0, 10);
    const exception = exceptions.find(({ from, to }) => from <= text && text <= to);
    const intervals = exception?.intervals ?? week[weekdays[date.getUTCDay()] ?? 'sun'] ?? [];
    const spans = intervals.map(([from, to]) => {
      const isNextDay = to <= from;
      return { from: atClock(timeZone, date, from), to: atClock(timeZone, date, to, isNextDay ? 1 : 0) };
    });
    spans.sort((a, b) => a.from - b.from);
    for (const span of spans) if (span.to > instant && span.to > span.from) yield span;
  }
}

/** `24:00` is the beginning of the next day. */
function atClock(timeZone: string, date: Date, clock: string, addedDays = 0): number {
  const [hour = 0, minute = 0] = clock.split(':').map(Number);
  const added = addedDays + (hour === 24 ? 1 : 0);
  const at = new Date(date.getTime() + added * dayMs);
  return instantOf(timeZone, {
    year: at.getUTCFullYear(),
    month: at.getUTCMonth() + 1,
    day: at.getUTCDate(),
    hour: hour % 24,
    minute,
  });
}
