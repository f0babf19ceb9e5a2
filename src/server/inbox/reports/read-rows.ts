// Reads the rows of a report in pieces of a month, so that other requests run between them.
import { setImmediate } from 'node:timers/promises';
import type { CalendarDay } from '../../../protocol/locale/time-zones.ts';
import type { Tx } from '../../storage/database.ts';
import {
  assignmentsIn,
  endedIn,
  type ReportScope,
  ratedIn,
  repliesIn,
  requestedIn,
  volumeIn,
} from '../../storage/inbox/reports.ts';
import type { ReportRows } from './figures.ts';

/** On SQLite, a statement occupies the process. */
const daysOfPiece = 31;

/** What is in `days` of what a report counts. `isOfAll`: conversations are counted, too. */
export async function readRows(
  tx: Tx,
  scope: Omit<ReportScope, 'from' | 'to'>,
  days: readonly CalendarDay[],
  isOfAll: boolean,
): Promise<ReportRows> {
  let rows: ReportRows = {
    ...{
      volume: isOfAll ? [] : undefined,
      requested: [],
      ended: [],
      rated: [],
      replies: [],
      assignments: [],
    },
  };
  for (let at = 0; at < days.length; at += daysOfPiece) {
    const part = days.slice(at, at + daysOfPiece);
    const piece = { ...scope, from: part[0]?.from ?? 0, to: part.at(-1)?.to ?? 0 };
    rows = {
      volume: rows.volume?.concat(await volumeIn(tx, piece)),
      requested: rows.requested.concat(await requestedIn(tx, piece)),
      ended: rows.ended.concat(await endedIn(tx, piece)),
      rated: rows.rated.concat(await ratedIn(tx, piece)),
      replies: rows.replies.concat(await repliesIn(tx, piece)),
      assignments: rows.assignments.concat(await assignmentsIn(tx, piece)),
    };
    await setImmediate();
  }
  return rows;
}
