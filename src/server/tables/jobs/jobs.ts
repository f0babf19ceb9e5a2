// Work on tables that goes on after the answer: one job of a table at a time, some tables at once, each job in pieces.
// A piece and the note of how far the job is are one commit, so a restart goes on where the last one ended.
import type { Logger } from 'pino';
import type { StartedJob, TableJob, TableJobType } from '../../../protocol/table.ts';
import { ApiError } from '../../api/errors.ts';
import type { Database, WriteTx } from '../../storage/database.ts';
import { createId } from '../../storage/ids.ts';
import { findJob, insertJob, openJobs, type TableJobRow, updateJob } from '../../storage/tables/jobs.ts';
import type { TableFiles } from '../files.ts';
import { ImportError } from './import.ts';
import { JobFailure, type JobWork, works } from './job-handlers.ts';

/** Tables that have work done at the same time. */
const atOnce = 3;
/** Jobs that are looked at to find some for other tables. */
const lookAhead = 200;

export interface TableJobs {
  /** Looks for work; to be called after a commit that made some. */
  wake(): void;
  /** Resolves when nothing is under way and nothing waits. */
  idle(): Promise<void>;
  /** Stops after the piece that each job is at. They go on after the next start. */
  close(): Promise<void>;
}

export interface TableJobsOptions {
  db: Database;
  files: TableFiles;
  logger: Logger;
  now(): number;
}

export function createTableJobs({ db, files, logger, now }: TableJobsOptions): TableJobs {
  const stopping = new AbortController();
  const running = new Map<string, Promise<void>>();
  let round: Promise<void> | undefined;
  let again = false;

  /** Starts what can start. A table that is filled counts as busy, too. */
  async function look(): Promise<void> {
    const busy = new Set<string>();
    const jobs = await db.read((tx) => openJobs(tx, lookAhead));
    for (const job of jobs) {
      const tables = [job.tableId, job.targetId ?? job.tableId];
      const free = !tables.some((id) => busy.has(id));
      for (const id of tables) busy.add(id);
      if (!free || running.has(job.id) || running.size >= atOnce || stopping.signal.aborted) continue;
      const work = run(job).finally(() => {
        running.delete(job.id);
        wake();
      });
      running.set(job.id, work);
    }
  }

  async function run(job: TableJobRow): Promise<void> {
    const work: JobWork = works[job.type];
    const save = async (tx: WriteTx, changes: Partial<TableJobRow>) => {
      Object.assign(job, changes, { updatedAt: now() });
      await updateJob(tx, job);
    };
    try {
      if (job.status === 'pending') await db.write((tx) => save(tx, { status: 'in_progress' }));
      // Of a table that was deleted, the jobs are gone.
      const goOn = async () =>
        !stopping.signal.aborted && (await db.read((tx) => findJob(tx, job.id))) !== undefined;
      if (await work({ db, files, job, save, goOn, now })) {
        await db.write((tx) => save(tx, { status: 'completed', progress: 100 }));
      }
    } catch (error) {
      if (stopping.signal.aborted) return;
      const known = error instanceof JobFailure || error instanceof ImportError || error instanceof ApiError;
      if (!known) logger.error({ err: error, jobId: job.id }, 'a job of a table failed');
      const reason = known ? error.message : 'The server failed; its log says why.';
      await db
        .write((tx) => save(tx, { status: 'failed', reason }))
        .catch((fault: unknown) => logger.error({ err: fault, jobId: job.id }, 'a job could not be ended'));
    }
  }

  function wake(): void {
    again = true;
    if (stopping.signal.aborted) return;
    round ??= (async () => {
      try {
        while (again && !stopping.signal.aborted) {
          again = false;
          await look();
        }
      } catch (error) {
        logger.error({ err: error }, 'looking for jobs of tables failed');
      }
      round = undefined;
    })();
  }

  async function idle(): Promise<void> {
    while (round || running.size > 0) await Promise.all([round, ...running.values()]);
  }

  return {
    wake,
    idle,
    async close() {
      stopping.abort();
      await idle();
    },
  };
}

/** Notes a job. It begins when `wake` is called after the commit. */
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

/** The job as it goes out. */
export function toJob(job: TableJobRow): TableJob {
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

/** The job as the answer that begins it names it. */
export function startedJob({ id, status }: TableJobRow): StartedJob {
  return { id, status };
}
