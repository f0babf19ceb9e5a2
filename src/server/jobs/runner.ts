// Runs jobs of a durable queue in the background: several at a time, one bot after the other, and again after a
// restart.
// Why not `pg-boss` or `bullmq`: they need PostgreSQL or Redis (decision 152).
import type { Logger } from 'pino';
import { ApiError, isStorageFull } from '../api/errors.ts';
import { type Database, isOfDatabase, type Tx, type WriteTx } from '../storage/database.ts';
import { LeaseLost } from './processes.ts';

/**
 * Milliseconds until a retry of jobs that stopped because the disk is full, or because the database or the object store
 * is unavailable.
 */
const retryDelayMs = 5_000;

export interface Job {
  id: string;
  botId: string;
}

/** The queue of jobs and their execution. The state is in the database, so a stop at any time loses no job. */
export interface JobQueue<J extends Job> {
  /** The name of one job, for the log. */
  name: string;
  /** The maximum number of concurrent jobs. */
  concurrency: number;
  /**
   * Returns the job to run next: of the first bot after `afterBotId`, in the order of ids, that has one. The first bot
   * follows the last one, so each bot with jobs gets one turn per round. Jobs of `excluded` are already running.
   */
  next(tx: Tx, afterBotId: string, excluded: readonly string[]): Promise<J | undefined>;
  /** Runs a job and stores its completion. Throws JobError or ApiError when the job cannot be done. */
  run(job: J, signal: AbortSignal): Promise<void>;
  /** Stores the reason why a job failed. */
  fail(tx: WriteTx, job: J, reason: string): Promise<void>;
  /**
   * Stores that a job was interrupted, because the server stops, a part of it does not answer or the disk is full: it runs
   * again.
   */
  suspend?(tx: WriteTx, job: J): Promise<void>;
}

export interface JobRunner {
  /** Polls for jobs. Must be called after a commit that adds some. */
  wake(): void;
  /** Resolves when no job is running or queued. */
  idle(): Promise<void>;
  /** Interrupts the running jobs, and resolves when they have stopped. */
  close(): Promise<void>;
}

export function createJobRunner<J extends Job>(
  queue: JobQueue<J>,
  { db, logger }: { db: Database; logger: Logger },
): JobRunner {
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = new Map<string, Promise<void>>();
  /**
   * Jobs that wait, or whose completion could not be stored. They are not retried before the next call of `wake`, which
   * prevents a busy loop.
   */
  const stuck = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let starting: Promise<void> | undefined;
  let again = false;
  let lastBotId = '';

  /** Starts jobs until no further poll was requested. */
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
            poll();
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
      // Another process continues the job.
      if (error instanceof LeaseLost) return;
      if (isStorageFull(error) || isOfDatabase(error)) return retryLater();
      logger.error({ err: error, jobId: job.id }, `the end of a job could not be stored: ${queue.name}`);
    }
  }

  function retryLater(): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      stuck.clear();
      poll();
    }, retryDelayMs).unref();
  }

  async function settle(job: J, error: unknown): Promise<void> {
    // An interruption is not a failure of the job, and neither is one of the store of files.
    const canRunLater = error instanceof ApiError && error.type === 'ServiceUnavailable';
    if (error instanceof LeaseLost) throw error;
    if (signal.aborted || canRunLater) {
      await db.write(async (tx) => queue.suspend?.(tx, job));
      if (signal.aborted) return;
      stuck.add(job.id);
      return retryLater();
    }
    // The job continues when the disk has space, or the database answers. This write may fail for the same reason.
    if (isStorageFull(error) || isOfDatabase(error)) {
      await db.write(async (tx) => queue.suspend?.(tx, job)).catch(() => {});
      throw error;
    }
    const isExpected = error instanceof JobError || error instanceof ApiError;
    if (!isExpected) logger.error({ err: error, jobId: job.id }, `${queue.name} failed`);
    const reason = isExpected ? error.message : 'Internal server error. See the log of the server.';
    await db.write((tx) => queue.fail(tx, job, reason));
  }

  function poll(): void {
    again = true;
    if (signal.aborted) return;
    // `startJobs` may be past its last poll, or return without waiting (all slots are in use, or the database fails).
    // It counts as ended only here, so a poll that was requested in the meantime follows.
    starting ??= startJobs().finally(() => {
      starting = undefined;
      if (again) poll();
    });
  }

  async function idle(): Promise<void> {
    while (starting || running.size > 0) await Promise.all([starting, ...running.values()]);
  }

  return {
    wake() {
      stuck.clear();
      poll();
    },
    idle,
    async close() {
      clearTimeout(timer);
      stopping.abort(new Error('The server stops.'));
      await idle();
    },
  };
}

/** An expected failure. The message is stored with the job and shown to the user who requested it. */
export class JobError extends Error {}
