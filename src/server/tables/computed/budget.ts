// The limits of costs: how many requests to the language model a bot can make in a minute and in a day (UTC).
import type { WriteTx } from '../../storage/database.ts';
import { findUsage, putUsage } from '../../storage/tables/computed.ts';
import type { ComputedSettings } from './settings.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** Counts one request before it is made, so that a crash cannot repeat it for free. Returns why and until when not. */
export async function reserve(
  tx: WriteTx,
  botId: string,
  { COMPUTED_CELLS_PER_MINUTE: cellsPerMinute, COMPUTED_CELLS_PER_DAY: cellsPerDay }: ComputedSettings,
  now: number,
): Promise<{ reason: string; until: number } | undefined> {
  const minute = Math.floor(now / minuteMs);
  const day = Math.floor(now / dayMs);
  const used = await findUsage(tx, botId);
  const minuteCells = used?.minute === minute ? used.minuteCells : 0;
  const dayCells = used?.day === day ? used.dayCells : 0;
  if (cellsPerDay > 0 && dayCells >= cellsPerDay) {
    return refusal(`${cellsPerDay} cells in a day (COMPUTED_CELLS_PER_DAY)`, (day + 1) * dayMs);
  }
  if (cellsPerMinute > 0 && minuteCells >= cellsPerMinute) {
    return refusal(
      `${cellsPerMinute} cells in a minute (COMPUTED_CELLS_PER_MINUTE)`,
      (minute + 1) * minuteMs,
    );
  }
  await putUsage(tx, botId, { minute, minuteCells: minuteCells + 1, day, dayCells: dayCells + 1 });
  return undefined;
}

const refusal = (limit: string, until: number) => ({
  reason: `The bot has used up its ${limit}; the work goes on at ${new Date(until).toISOString()}.`,
  until,
});
