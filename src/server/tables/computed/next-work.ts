// Finds the table whose computed columns are worked on next.
import type { Job } from '../../jobs/runner.ts';
import type { Tx } from '../../storage/database.ts';
import {
  type ComputedTableRow,
  nextBotWithTableWork,
  type QueueKind,
  tableWorkOf,
} from '../../storage/tables/computed.ts';

/** The work of one kind in one table. */
export interface TableWork extends Job {
  work: ComputedTableRow;
}

/** Returns the table whose work is due: of the first bot after `afterBotId`, then of the first of all. */
export async function nextWork(
  tx: Tx,
  kind: QueueKind,
  afterBotId: string,
  excluded: readonly string[],
  now: number,
): Promise<TableWork | undefined> {
  const seen = new Set<string>();
  for (let after = afterBotId; ; ) {
    const botId: string | undefined =
      (await nextBotWithTableWork(tx, kind, after, now)) ?? (await nextBotWithTableWork(tx, kind, '', now));
    if (botId === undefined || seen.has(botId)) return undefined;
    seen.add(botId);
    const found = await tableWorkOf(tx, kind, botId, now, excluded.length + 1);
    const jobs = found.map((work) => ({ id: `${work.tableId} ${kind}`, botId, work }));
    const free = jobs.find(({ id }) => !excluded.includes(id));
    if (free) return free;
    after = botId;
  }
}
