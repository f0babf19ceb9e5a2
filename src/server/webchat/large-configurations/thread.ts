// Starts the worker thread of large configurations, a few at a time.
import { ApiError } from '../../api/errors.ts';
import { startWorker } from '../../jobs/worker-thread.ts';
import type { Piece, Report, Task } from './worker.ts';

export interface Thread {
  /** Sends a piece of the body; null after the last one. */
  send(piece: Piece): void;
  /** Rejects with the ApiError of the thread. */
  result: Promise<Exclude<Report, { refused: object }>>;
  /** Ends the thread, if it has not ended. */
  end(): Promise<void>;
}

export interface Threads {
  /** Resolves when one of the few threads is free. */
  start(task: Task): Promise<Thread>;
  close(): Promise<void>;
}

/** The maximum number of threads of each kind: one can need several hundred megabytes. */
const maxThreads = 2;
const heapMegabytes = 1_024;

/** `execArgv`: Node flags of the threads. */
export function createThreads(execArgv: string[] = []): Threads {
  const running = new Set<Thread>();
  // Separate, because a slow sender of a body must not keep visitors waiting for documents.
  const pools = { body: createPool(), document: createPool() };
  let isClosed = false;

  return {
    async start(task) {
      const pool = pools[task.kind];
      await pool.acquire();
      if (isClosed) {
        pool.release();
        throw new Error('The server stops.');
      }
      const worker = startWorker(import.meta.url, {
        workerData: task,
        resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
        execArgv,
      });
      const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
      void ended.then(pool.release);
      const result = new Promise<Exclude<Report, { refused: object }>>((resolve, reject) => {
        worker.once('message', (report: Report) => {
          if (!('refused' in report)) return resolve(report);
          const { type, message, metadata } = report.refused;
          reject(new ApiError(type, message, metadata));
        });
        worker.once('error', reject);
        worker.once('exit', () => reject(new Error('The thread of large configurations has ended.')));
      });
      // It can fail before anybody waits for it.
      result.catch(() => {});
      const thread: Thread = {
        send: (piece) => worker.postMessage(piece, piece ? [piece.buffer as ArrayBuffer] : []),
        result,
        async end() {
          await worker.terminate();
          running.delete(thread);
        },
      };
      running.add(thread);
      void ended.then(() => running.delete(thread));
      return thread;
    },
    async close() {
      isClosed = true;
      for (const pool of Object.values(pools)) pool.wakeAll();
      await Promise.all([...running].map((thread) => thread.end()));
    },
  };
}

/** Slots for a few threads; further ones wait in order. */
function createPool() {
  const queue: (() => void)[] = [];
  let taken = 0;
  return {
    async acquire(): Promise<void> {
      if (taken >= maxThreads) await new Promise<void>((resolve) => queue.push(resolve));
      else taken += 1;
    },
    release(): void {
      const next = queue.shift();
      // The slot goes to the next one directly.
      if (next) next();
      else taken -= 1;
    },
    wakeAll(): void {
      for (const wake of queue.splice(0)) wake();
    },
  };
}
