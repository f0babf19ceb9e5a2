// Schemas of opening hours.
import * as v from 'valibot';
import { weekdays } from '../../handling/opening-hours.ts';
import { limits } from '../../limits.ts';
import { isTimeZone } from '../../locale/time-zones.ts';
import { described, maybe } from '../base/described.ts';
import { timestamp } from '../base/values.ts';
import { handlingSchemas } from '../handling.ts';
import { boundedArray } from '../pre-validation.ts';

const start = v.pipe(
  v.string(),
  v.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'Expected a time from 00:00 to 23:59.'),
);
const end = v.pipe(
  v.string(),
  v.regex(/^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/, 'Expected a time from 00:00 to 24:00.'),
);
const hours = described(
  v.tuple([start, end]),
  'From and to on the clock, such as `["09:00", "17:30"]`. An end at or before the start is on the ' +
    'next day; `24:00` is the end of the day.',
);
const intervals = boundedArray(hours, limits.inbox.intervals);

/** A day on the calendar. */
export const date = v.pipe(
  v.string(),
  v.regex(/^\d{4}-\d{2}-\d{2}$/, 'Expected a date such as 2026-12-24.'),
  v.check((text) => {
    const at = new Date(`${text}T00:00:00Z`);
    return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
  }, 'Expected a date that exists.'),
);

const exception = described(
  v.pipe(
    v.object({
      from: date,
      to: date,
      name: maybe(handlingSchemas.text(limits.inbox.exceptionName)),
      intervals,
    }),
    v.check(({ from, to }) => from <= to, 'Expected an end that is not before the beginning.'),
  ),
  'Days with hours of their own, both inclusive (`2026-12-24`). Without intervals they are closed.',
);

const week = v.strictObject(
  Object.fromEntries(weekdays.map((day) => [day, maybe(intervals)])) as Record<
    (typeof weekdays)[number],
    ReturnType<typeof maybe<typeof intervals>>
  >,
);

export const timeZone = v.pipe(
  v.string(),
  v.check(isTimeZone, 'Expected the name of a time zone, such as Europe/Berlin.'),
);

export const openingHours = v.object({
  timeZone: described(timeZone, 'The name of a time zone, such as `Europe/Berlin`.'),
  always: maybe(v.boolean(), 'Somebody answers at any time: the hours do not count.'),
  week: described(week, 'A day that is left out is closed.'),
  exceptions: described(
    boundedArray(exception, limits.inbox.exceptions),
    'Of several that contain a day, the first one counts.',
  ),
});

/** Whether somebody answers now. */
export const hoursStatus = v.object({
  isOpen: v.boolean(),
  closesAt: maybe(timestamp),
  opensAt: maybe(timestamp),
});

export const types = { Hours: hours, HoursException: exception, OpeningHours: openingHours };
