// The context of the handler of a job, and the table that it works on.
import { JobError } from '../../jobs/runner.ts';
import type { Database, Tx, WriteTx } from '../../storage/database.ts';
import type { TableJobRow } from '../../storage/tables/jobs.ts';
import { tableOfId } from '../../storage/tables/tables.ts';
import { type OpenTable, openTable } from '../open-table.ts';
import type { TableFiles } from '../stored-files.ts';

export interface JobContext {
  db: Database;
  files: TableFiles;
  job: TableJobRow;
  /** Stores the progress of the job, within the transaction of a batch. */
  save(tx: WriteTx, changes: Partial<TableJobRow>): Promise<void>;
  /** Called between batches. Returns false when the server is stopping or the table was deleted. */
  shouldContinue(): Promise<boolean>;
  now(): number;
}

/** Throws JobError when the table was deleted. */
export async function tableOf(tx: Tx, job: TableJobRow): Promise<OpenTable> {
  const record = await tableOfId(tx, job.tableId);
  if (!record) throw new JobError('The table was deleted.');
  return openTable(record);
}
