// The days of a period on the calendar of a time zone. Pure.
import { instantOf } from './time-zones.ts';

const dayMs = 24 * 60 * 60_000;

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
