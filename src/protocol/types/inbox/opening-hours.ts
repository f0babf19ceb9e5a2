// Generated from src/protocol/schemas/inbox/opening-hours.ts by type-modules.test.ts (`npm run generate`). Do not edit.
// biome-ignore-all format: generated
// biome-ignore-all assist/source/organizeImports: generated

/**
 * From and to on the clock, such as `["09:00", "17:30"]`. An end at or before the start is on the next day; `24:00` is
 * the end of the day.
 */
export type Hours = [string, string];

/** Days with hours of their own, both inclusive (`2026-12-24`). Without intervals they are closed. */
export interface HoursException {
  from: string;
  to: string;
  name?: string;
  intervals: Hours[];
}

export interface OpeningHours {
  /** The name of a time zone, such as `Europe/Berlin`. */
  timeZone: string;
  /** Somebody answers at any time: the hours do not count. */
  always?: boolean;
  /** A day that is left out is closed. */
  week: { sun?: Hours[]; mon?: Hours[]; tue?: Hours[]; wed?: Hours[]; thu?: Hours[]; fri?: Hours[]; sat?: Hours[] };
  /** Of several that contain a day, the first one counts. */
  exceptions: HoursException[];
}
