// Extracts the text of an untrusted file in a worker thread with limits of time and memory. The main thread terminates
// a worker that exceeds them.
import type { Worker } from 'node:worker_threads';
import { startWorker } from '../../jobs/worker-thread.ts';
import type { Passage } from './passages.ts';
import { UnreadableError } from './reader-interface.ts';
import type { Report } from './worker.ts';

export interface ExtractionOptions {
  /** Node flags of the thread; to run the sources, it needs a flag that strips their types. */
  execArgv?: string[];
  /** Milliseconds to read one file, without the time in which its passages are stored. */
  timeLimit?: number;
  /** The limit of the JavaScript heap in megabytes. */
  heapMegabytes?: number;
  /**
   * The limit in megabytes by which the process can grow, because the decompressed bytes of a PDF are outside of the
   * JavaScript heap.
   */
  growthMegabytes?: number;
  /** Returns the bytes that other parts of the process have allocated, which do not count. */
  otherMemory?: () => number;
  /** Reads files in another way than in a thread; for tests. */
  passages?: Extraction['passages'];
}

export interface Extraction {
  /**
   * Yields the passages of the file at `path` in batches. `type`: its media type, with a charset if one is declared. At the
   * end, `warn` receives sentences about text that could not be read. Throws UnreadableError when it has none or exceeds
   * a limit, and the signal's reason when the signal is aborted.
   */
  passages(
    path: string,
    type: string,
    signal?: AbortSignal,
    warn?: (problem: string) => void,
  ): AsyncGenerator<Passage[]>;
}

/** Milliseconds between two checks of the memory. */
const checkIntervalMs = 200;

export function createExtraction({
  execArgv = [],
  timeLimit = 120_000,
  heapMegabytes = 384,
  growthMegabytes = 512,
  otherMemory = () => 0,
  passages,
}: ExtractionOptions = {}): Extraction {
  if (passages) return { passages };
  return {
    async *passages(path, type, signal, warn) {
      signal?.throwIfAborted();
      const worker = startWorker(import.meta.url, {
        workerData: { path, type },
        resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
        execArgv,
      });
      const nextReport = reportsOf(worker);
      const limits = watch(timeLimit, growthMegabytes, otherMemory, signal);
      try {
        for (;;) {
          const report = await limits.during(nextReport());
          if ('done' in report) {
            for (const problem of report.done.warnings) warn?.(problem);
            return;
          }
          if ('unreadable' in report) throw new UnreadableError(report.unreadable);
          yield report.passages;
          worker.postMessage('more');
        }
      } finally {
        limits.end();
        await worker.terminate();
      }
    },
  };
}

/**
 * Returns a function that resolves with the next report of a worker, and rejects when its thread has failed. It may fail at
 * any time, also while nobody waits for a report: an error that nobody receives would end the process.
 */
function reportsOf(worker: Worker): () => Promise<Report> {
  let failure: Error | undefined;
  let resolveNext: (report: Report) => void = () => {};
  let rejectNext: (error: Error) => void = () => {};
  const fail = (error: Error) => {
    failure ??= error;
    rejectNext(failure);
  };
  worker.on('message', (report: Report) => resolveNext(report));
  worker.on('error', (error: NodeJS.ErrnoException) =>
    fail(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooLarge() : error),
  );
  worker.on('exit', () => fail(new UnreadableError('The file could not be read.')));
  return () =>
    new Promise((resolve, reject) => {
      if (failure) return reject(failure);
      resolveNext = resolve;
      rejectNext = reject;
    });
}

const tooLarge = () => new UnreadableError('Reading the file takes too much memory.');

/** Measures time and memory while the worker reads. */
function watch(
  timeLimit: number,
  growthMegabytes: number,
  otherMemory: () => number,
  signal: AbortSignal | undefined,
) {
  let spent = 0;
  let stop: (error: Error) => void = () => {};
  const start = process.memoryUsage.rss();
  const otherAtStart = otherMemory();
  const growth = () => process.memoryUsage.rss() - start - Math.max(0, otherMemory() - otherAtStart);
  const timer = setInterval(() => {
    if (growth() > growthMegabytes * 1_000_000) stop(tooLarge());
  }, checkIntervalMs);
  timer.unref();
  const onAbort = () => stop(signal?.reason);
  signal?.addEventListener('abort', onAbort);
  return {
    async during<T>(work: Promise<T>): Promise<T> {
      const begin = performance.now();
      let timeout: NodeJS.Timeout | undefined;
      try {
        return await new Promise<T>((resolve, reject) => {
          stop = reject;
          if (signal?.aborted) reject(signal.reason);
          timeout = setTimeout(
            () => reject(new UnreadableError('Reading the file takes too long.')),
            timeLimit - spent,
          );
          work.then(resolve, reject);
        });
      } finally {
        clearTimeout(timeout);
        spent += performance.now() - begin;
      }
    },
    end() {
      clearInterval(timer);
      signal?.removeEventListener('abort', onAbort);
    },
  };
}
