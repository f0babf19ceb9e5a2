// Jobs on tables: imports, exports and changes of many rows, which continue after the response. Each runs in batches. A
// batch and the progress of its job are one commit, so after a restart the job continues where it stopped.
import type { Logger } from 'pino';
import type { StartedJob, TableJob, TableJobType } from '../../../protocol/types/tables.ts';
import { createJobRunner, type JobRunner } from '../../jobs/runner.ts';
import type { Database, Tx, WriteTx } from '../../storage/database.ts';
import { createId } from '../../storage/ids.ts';
import {
  insertJob,
  isOpenJob,
  nextBotWithOpenJobs,
  openJobsOf,
  type TableJobRow,
  updateJob,
} from '../../storage/tables/jobs.ts';
import type { TableFiles } from '../stored-files.ts';
import { jobHandlers } from './job-handlers.ts';

/** The maximum number of concurrent jobs, each on different tables. */
const concurrency = 3;
/** The number of open jobs of a bot that are searched for one that can run. */
const lookAhead = 200;

export interface TableJobsOptions {
  db: Database;
  files: TableFiles;
  logger: Logger;
  now(): number;
  /** Called after a commit with new rows. */
  onRowsWritten(): void;
}

export function createTableJobs({ db, files, logger, now, onRowsWritten }: TableJobsOptions): JobRunner {
  async function run(job: TableJobRow, signal: AbortSignal): Promise<void> {
    if (job.status === 'pending') await db.write((tx) => save(tx, job, { status: 'in_progress' }));
    // The jobs of a table are deleted with it, or end.
    const shouldContinue = async () => !signal.aborted && (await db.read((tx) => isOpenJob(tx, job.id)));
    const context = {
      db,
      files,
      job,
      save: async (tx: WriteTx, changes: Partial<TableJobRow>) => {
        tx.afterCommit(onRowsWritten);
        await save(tx, job, changes);
      },
      shouldContinue,
      now,
    };
    if (await jobHandlers[job.type](context)) {
      await db.write((tx) => save(tx, job, { status: 'completed', progress: 100 }));
    }
  }

  async function save(tx: WriteTx, job: TableJobRow, changes: Partial<TableJobRow>): Promise<void> {
    const changed = { ...job, ...changes, updatedAt: now() };
    await updateJob(tx, changed);
    tx.afterCommit(() => Object.assign(job, changed));
  }

  return createJobRunner<TableJobRow>(
    {
      name: 'a job of a table',
      concurrency,
      next: nextJob,
      run,
      fail: (tx, job, reason) => save(tx, job, { status: 'failed', reason }),
    },
    { db, logger },
  );
}

/** Returns the next job whose tables have no earlier open job. Bots take turns. */
async function nextJob(
  tx: Tx,
  afterBotId: string,
  excluded: readonly string[],
): Promise<TableJobRow | undefined> {
  let isSecondRound = false;
  for (let after = afterBotId; ; ) {
    const botId = await nextBotWithOpenJobs(tx, after);
    if (botId !== undefined) {
      const job = firstRunnable(await openJobsOf(tx, botId, lookAhead), excluded);
      if (job) return job;
      after = botId;
    }
    // The first bot follows the last one, until the search returns to the bot where it began.
    const isOver = isSecondRound && (botId === undefined || botId >= afterBotId);
    if (isOver) return undefined;
    if (botId === undefined) {
      isSecondRound = true;
      after = '';
    }
  }
}

/** Returns the first job whose table and target table have no earlier open job. */
function firstRunnable(jobs: TableJobRow[], excluded: readonly string[]): TableJobRow | undefined {
  const tablesOf = ({ tableId, targetId }: TableJobRow) => [tableId, targetId ?? tableId];
  const occupied = new Set(jobs.filter(({ id }) => excluded.includes(id)).flatMap(tablesOf));
  for (const job of jobs) {
    const tables = tablesOf(job);
    const isFree = !tables.some((id) => occupied.has(id));
    if (isFree && !excluded.includes(job.id)) return job;
    for (const id of tables) occupied.add(id);
  }
  return undefined;
}

/** Adds a job, which starts when `wake` is called after the commit. */
export async function addJob(
  tx: WriteTx,
  table: { id: string; botId: string },
  type: TableJobType,
  fields: { input: unknown; targetId?: string; inputFileId?: string },
  now: number,
): Promise<TableJobRow> {
  const job: TableJobRow = {
    id: createId('job', now),
    botId: table.botId,
    tableId: table.id,
    targetId: fields.targetId ?? null,
    type,
    status: 'pending',
    progress: 0,
    input: JSON.stringify(fields.input),
    done: '{}',
    inputFileId: fields.inputFileId ?? null,
    outputFileId: null,
    reason: null,
    warnings: '[]',
    createdAt: now,
    updatedAt: now,
  };
  await insertJob(tx, job);
  return job;
}

/** Serializes a job for responses. */
export function serializeJob(job: TableJobRow): TableJob {
  const warnings: string[] = JSON.parse(job.warnings);
  return {
    id: job.id,
    botId: job.botId,
    tableId: job.tableId,
    type: job.type,
    status: job.status,
    progress: job.progress,
    inputFileId: job.inputFileId,
    outputFileId: job.outputFileId,
    ...(job.reason === null ? {} : { failedStatusReason: job.reason }),
    ...(warnings.length > 0 ? { warnings } : {}),
    createdAt: new Date(job.createdAt).toISOString(),
    updatedAt: new Date(job.updatedAt).toISOString(),
  };
}

/** Serializes a job for the response to the request that adds it. */
export function startedJob({ id, status }: TableJobRow): StartedJob {
  return { id, status };
}
