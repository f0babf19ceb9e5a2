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
  /** The last row of its author in its minute: the time is below it. */
  hasTime: boolean;
}

/** The name of the author, if it is a person: they can have another one than in the message before. */
const personName = ({ author }: Row): string | undefined =>
  author?.kind === 'person' ? author.name : undefined;

/** Milliseconds between two rows of one side after which the second starts a new group. */
const groupGapMs = 5 * 60_000;

/**
 * Groups the sorted rows between two positions: only those that are drawn, because each change of the outline groups them again.
 * Days are those of the visitor's time zone.
 */
export function groupRows(rows: readonly Row[], from = 0, to = rows.length): GroupedRow[] {
  // With the row before them and the one after them.
  const start = Math.max(0, from - 1);
  const near = rows.slice(start, to + 1);
  const days = near.map(({ createdAt }) => new Date(createdAt).setHours(0, 0, 0, 0));
  const joins = near.map((row, i) => {
    const previous = near[i - 1];
    return (
      previous !== undefined &&
      previous.side === row.side &&
      previous.userId === row.userId &&
      personName(previous) === personName(row) &&
      days[i - 1] === days[i] &&
      Date.parse(row.createdAt) - Date.parse(previous.createdAt) < groupGapMs
    );
  });
  return near
    .map(({ key, createdAt }, i) => ({
      key,
      day: days[i - 1] === days[i] ? undefined : createdAt,
      isFirst: !joins[i],
      isLast: !joins[i + 1],
      hasTime: !joins[i + 1] && !isTimeLater(rows, start + i),
    }))
    .slice(Math.max(0, from) - start, to - start);
}

const minuteOf = ({ createdAt }: Row) => Math.floor(Date.parse(createdAt) / 60_000);

/** Whether a later row of the same author has the time of this one. Rows that were not sent have none. */
function isTimeLater(rows: readonly Row[], index: number): boolean {
  const { side, userId } = rows[index] as Row;
  const minute = minuteOf(rows[index] as Row);
  for (let i = index + 1; i < rows.length; i++) {
    const row = rows[i] as Row;
    if (minuteOf(row) !== minute) return false;
    // The author of an answer that is being written is not known.
    const isOfSame =
      row.side === side && (side === 'visitor' || row.userId === undefined || row.userId === userId);
    if (isOfSame && row.status !== 'failed' && row.status !== 'queued') return true;
  }
  return false;
}
