// Schemas of opening hours.
import * as v from 'valibot';
import {
  type Hours,
  type HoursException,
  type OpeningHours,
  weekdays,
} from '../../handling/opening-hours.ts';
import { limits } from '../../limits.ts';
import { isTimeZone } from '../../locale/time-zones.ts';
import { schemaOf } from '../base/schema-of.ts';
import { maybe, timestamp } from '../base/values.ts';
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
const hours = schemaOf<Hours>()(v.tuple([start, end]));
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

const exception = schemaOf<HoursException>()(
  v.pipe(
    v.object({
      from: date,
      to: date,
      name: maybe(handlingSchemas.text(limits.inbox.exceptionName)),
      intervals,
    }),
    v.check(({ from, to }) => from <= to, 'Expected an end that is not before the beginning.'),
  ),
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

export const openingHours = schemaOf<OpeningHours>()(
  v.object({
    timeZone,
    always: maybe(v.boolean()),
    week,
    exceptions: boundedArray(exception, limits.inbox.exceptions),
  }),
);

/** Whether somebody answers now. */
export const hoursStatus = v.object({
  isOpen: v.boolean(),
  closesAt: maybe(timestamp),
  opensAt: maybe(timestamp),
});
