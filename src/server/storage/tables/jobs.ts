// SQL of the jobs of tables: request, progress and result.
import type { TableJobStatus, TableJobType } from '../../../protocol/types/tables.ts';
import type { Tx, WriteTx } from '../database.ts';
import { defineTable, insert, integer, orNull, type RowOf, text, textOf, withDefault } from '../table.ts';

const tableJobs = defineTable('table_jobs', {
  id: text,
  botId: text,
  tableId: text,
  /** The table that is filled, if it is another one. */
  targetId: orNull(text),
  type: textOf<TableJobType>(),
  status: textOf<TableJobStatus>(),
  /** 0 to 100. */
  progress: integer,
  /** JSON: the request. */
  input: text,
  /** JSON: the progress, from which the job continues after a restart. */
  done: text,
  inputFileId: orNull(text),
  outputFileId: orNull(text),
  /** The reason why it failed. */
  reason: orNull(text),
  /** JSON: a list of texts. */
  warnings: withDefault(text),
  createdAt: integer,
  updatedAt: integer,
});
export type TableJobRow = RowOf<typeof tableJobs>;

const columns = tableJobs.columns();

/** The newest jobs of a table, including those that fill it. */
export async function jobsOfTable(tx: Tx, tableId: string, limit: number): Promise<TableJobRow[]> {
  return tx.all(
    `SELECT ${columns} FROM table_jobs WHERE table_id = ? OR target_id = ? ORDER BY id DESC LIMIT ?`,
    tableId,
    tableId,
    limit,
  );
}

/** The statuses of jobs that have not ended. */
const openStatuses = ['pending', 'in_progress', 'finalizing'] satisfies TableJobStatus[];

const openList = openStatuses.map((status) => `'${status}'`).join(', ');

/** Whether a job exists and has not ended. */
export async function isOpenJob(tx: Tx, id: string): Promise<boolean> {
  return (
    (await tx.get(`SELECT 1 FROM table_jobs WHERE id = ? AND status IN (${openList})`, id)) !== undefined
  );
}

/** The first bot after `botId`, in the order of ids, that has open jobs. */
export async function nextBotWithOpenJobs(tx: Tx, botId: string): Promise<string | undefined> {
  const firsts = openStatuses.map(
    (status) => `SELECT MIN(bot_id) AS bot_id FROM table_jobs WHERE status = '${status}' AND bot_id > ?`,
  );
  const row = await tx.get<{ botId: string | null }>(
    `SELECT MIN(bot_id) AS bot_id FROM (${firsts.join(' UNION ALL ')}) AS firsts`,
    ...openStatuses.map(() => botId),
  );
  return row?.botId ?? undefined;
}

/** The oldest open jobs of a bot, oldest first. */
export async function openJobsOf(tx: Tx, botId: string, limit: number): Promise<TableJobRow[]> {
  const jobs: TableJobRow[] = [];
  // One query for each status uses the index; one query for all would sort all open jobs of the bot.
  for (const status of openStatuses) {
    const found = await tx.all<TableJobRow>(
      `SELECT ${columns} FROM table_jobs WHERE status = ? AND bot_id = ? ORDER BY id LIMIT ?`,
      status,
      botId,
      limit,
    );
    jobs.push(...found);
  }
  return jobs.sort((a, b) => (a.id < b.id ? -1 : 1)).slice(0, limit);
}

export async function insertJob(tx: WriteTx, row: TableJobRow): Promise<void> {
  await insert(tx, tableJobs, row);
}

/** Stores the progress of a job, unless it has ended. */
export async function updateJob(tx: WriteTx, row: TableJobRow): Promise<void> {
  await tx.run(
    `UPDATE table_jobs SET status = ?, progress = ?, done = ?, output_file_id = ?, reason = ?, warnings = ?,
       updated_at = ? WHERE id = ? AND status IN (${openList})`,
    row.status,
    row.progress,
    row.done,
    row.outputFileId,
    row.reason,
    row.warnings,
    row.updatedAt,
    row.id,
  );
}

/**
 * Deletes the jobs of a deleted table. Those that fill another table become jobs of it, so that somebody learns that they were
 * not completed.
 */
export async function deleteJobsOf(tx: WriteTx, tableId: string): Promise<void> {
  await tx.run(
    `UPDATE table_jobs SET table_id = target_id, status = 'failed', reason = 'The table to be copied was deleted.'
     WHERE table_id = ? AND target_id <> table_id AND target_id IN (SELECT id FROM tables) AND status IN (${openList})`,
    tableId,
  );
  await tx.run('DELETE FROM table_jobs WHERE table_id = ?', tableId);
}
