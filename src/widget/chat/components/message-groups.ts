// Determines the position of rows in the transcript: the first row of a day, the first and last row of a group. Pure.
import type { Row } from '../store/store.ts';

export interface GroupedRow {
  /** The key of the row. */
  key: string;
  /** The time (ISO 8601) of the first row of a day; undefined for all others. */
  day: string | undefined;
  /** The first and the last of adjacent rows that one participant wrote within a few minutes. */
  isFirst: boolean;
  isLast: boolean;
}

/** Milliseconds between two rows of one side after which the second starts a new group. */
const groupGapMs = 5 * 60_000;

/** Groups sorted rows. Days are those of the visitor's time zone. */
export function groupRows(rows: readonly Row[]): GroupedRow[] {
  const joins = rows.map((row, i) => {
    const previous = rows[i - 1];
    return (
      previous !== undefined &&
      previous.side === row.side &&
      previous.userId === row.userId &&
      dayOf(previous) === dayOf(row) &&
      Date.parse(row.createdAt) - Date.parse(previous.createdAt) < groupGapMs
    );
  });
  return rows.map((row, i) => {
    const previous = rows[i - 1];
    return {
      key: row.key,
      day: previous && dayOf(previous) === dayOf(row) ? undefined : row.createdAt,
      isFirst: !joins[i],
      isLast: !joins[i + 1],
    };
  });
}

/** Cached: every change of the outline needs the day of every row, and computing it is the slowest part. */
const days = new WeakMap<Row, string>();

function dayOf(row: Row): string {
  const day = days.get(row) ?? new Date(row.createdAt).toDateString();
  days.set(row, day);
  return day;
}
