// How rows stand in the transcript: which begins a day, which begins or ends a group. Pure.
import type { Row } from '../store/store.ts';

export interface Placed {
  row: Row;
  /** The day this row begins, or undefined when an earlier row of that day stands above. */
  day: Date | undefined;
  /** First and last of the neighbours that one side wrote within a few minutes. */
  isFirst: boolean;
  isLast: boolean;
}

/** Milliseconds between two rows of one side beyond which the second begins a new group. */
const groupGapMs = 5 * 60_000;

/** Places rows that are in order. Days are those of the visitor's time zone. */
export function place(rows: readonly Row[]): Placed[] {
  const joins = rows.map((row, i) => {
    const above = rows[i - 1];
    return (
      above !== undefined &&
      above.side === row.side &&
      dayOf(above) === dayOf(row) &&
      Date.parse(row.createdAt) - Date.parse(above.createdAt) < groupGapMs
    );
  });
  return rows.map((row, i) => {
    const above = rows[i - 1];
    return {
      row,
      day: above && dayOf(above) === dayOf(row) ? undefined : new Date(row.createdAt),
      isFirst: !joins[i],
      isLast: !joins[i + 1],
    };
  });
}

/** Kept, because every drawing asks for the day of every row, and finding one costs more than all else in it. */
const days = new WeakMap<Row, string>();

function dayOf(row: Row): string {
  const day = days.get(row) ?? new Date(row.createdAt).toDateString();
  days.set(row, day);
  return day;
}
