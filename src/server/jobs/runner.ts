// Runs jobs of a durable queue in the background: several at a time, bots in turns, and again after a restart.
import type { Logger } from 'pino';
import { ApiError } from '../api/errors.ts';
import type { Database, Tx, WriteTx } from '../storage/database.ts';
import { JobError } from './job-error.ts';

export interface Job {
  id: string;
  botId: string;
}

/** What jobs there are, and how they are done. Their state is in the database, so a stop at any time loses no job. */
export interface JobQueue<J extends Job> {
  /** Of one job, for the log. */
  name: string;
  /** Jobs at the same time. */
  concurrency: number;
  /**
   * The job to run next: of the first bot after `afterBotId`, in the order of ids, that has one; after the last bot the
   * first one follows. So each bot with jobs gets one turn a round. None of `excluded`, which are running already.
   */
  next(tx: Tx, afterBotId: string, excluded: readonly string[]): Promise<J | undefined>;
  /** Does a job, and stores that it is done. Throws JobError, or ApiError, where it cannot be done. */
  run(job: J, signal: AbortSignal): Promise<void>;
  /** Stores why a job could not be done. */
  fail(tx: WriteTx, job: J, reason: string): Promise<void>;
  /** Stores that a job was interrupted because the server stops; the next start runs it again. */
  suspend?(tx: WriteTx, job: J): Promise<void>;
}

export interface JobRunner {
  /** Looks for jobs; to be called after a commit that adds some. */
  wake(): void;
  /** Resolves when no job runs and none waits. */
  idle(): Promise<void>;
  /** Interrupts the jobs that run, and resolves when they have stopped. */
  close(): Promise<void>;
}

export function createJobRunner<J extends Job>(
  queue: JobQueue<J>,
  { db, logger }: { db: Database; logger: Logger },
): JobRunner {
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = new Map<string, Promise<void>>();
  /** Jobs whose end could not be stored: not tried again before the next call of `wake`, so that they do not spin. */
  const stuck = new Set<string>();
  let starting: Promise<void> | undefined;
  let again = false;
  let lastBotId = '';

  /** Looks for jobs until there was no reason to look again. */
  async function startJobs(): Promise<void> {
    try {
      while (again && !signal.aborted) {
        again = false;
        while (running.size < queue.concurrency && !signal.aborted) {
          const job = await db.read((tx) => queue.next(tx, lastBotId, [...running.keys(), ...stuck]));
          if (!job || signal.aborted) break;
          lastBotId = job.botId;
          const run = runJob(job).finally(() => {
            running.delete(job.id);
            look();
          });
          running.set(job.id, run);
        }
      }
    } catch (error) {
      if (!signal.aborted) logger.error({ err: error }, `looking for jobs failed: ${queue.name}`);
    }
  }

  async function runJob(job: J): Promise<void> {
    try {
      await queue.run(job, signal).catch((error: unknown) => settle(job, error));
    } catch (error) {
      stuck.add(job.id);
      logger.error({ err: error, jobId: job.id }, `the end of a job could not be stored: ${queue.name}`);
    }
  }

  async function settle(job: J, error: unknown): Promise<void> {
    // An interruption says nothing about the job.
    if (signal.aborted) return db.write(async (tx) => queue.suspend?.(tx, job));
    const isExpected = error instanceof JobError || error instanceof ApiError;
    if (!isExpected) logger.error({ err: error, jobId: job.id }, `${queue.name} failed`);
    const reason = isExpected ? error.message : 'Internal server error. See the log of the server.';
    await db.write((tx) => queue.fail(tx, job, reason));
  }

  function look(): void {
    again = true;
    if (signal.aborted) return;
    // `startJobs` may have looked for the last time, or may even return without waiting (all places are taken, the
    // database refuses): it counts as ended only here, and a look that was asked for meanwhile follows.
    starting ??= startJobs().finally(() => {
      starting = undefined;
      if (again) look();
    });
  }

  async function idle(): Promise<void> {
    while (starting || running.size > 0) await Promise.all([starting, ...running.values()]);
  }

  return {
    wake() {
      stuck.clear();
      look();
    },
    idle,
    async close() {
      stopping.abort(new Error('The server stops.'));
      await idle();
    },
  };
}
