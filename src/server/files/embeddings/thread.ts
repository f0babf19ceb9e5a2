// The worker thread of semantic search from the side of the main thread: started by the first request, ended after a
// time without requests, because a loaded model takes 200 MB.
import type { Worker } from 'node:worker_threads';
import { startWorker } from '../../jobs/worker-thread.ts';
import { EmbeddingError } from './model.ts';
import type { Message, Reply, Requests, WorkerInput } from './worker.ts';

export interface ThreadOptions {
  /** The location of the database. */
  location: string;
  /** Node flags of the thread; to run the sources, it needs a flag that strips their types. */
  execArgv?: string[] | undefined;
  /** Milliseconds without a request after which the thread ends. */
  idleTime?: number | undefined;
}

export interface EmbeddingThread {
  /**
   * Runs a request. Throws EmbeddingError when the model has no vectors or does not answer in time, and the reason of
   * `signal` when it is aborted.
   */
  request<K extends keyof Requests>(
    kind: K,
    request: Requests[K]['request'],
    options: { timeLimit: number; signal?: AbortSignal | undefined },
  ): Promise<Requests[K]['result']>;
  /** The number of bytes by which the loaded model may have enlarged the process. */
  memory(): number;
  close(): Promise<void>;
}

/** Bytes by which the process grows with the model and the largest input: 235 MB measured, on Node 20. */
const modelMemory = 300_000_000;
const defaultIdleTimeMs = 10 * 60 * 1000;
/** Milliseconds that the thread has to close its connection. */
const closeTimeMs = 2_000;

interface Pending {
  resolve(result: never): void;
  reject(error: unknown): void;
}

export function createEmbeddingThread({
  location,
  execArgv = [],
  idleTime = defaultIdleTimeMs,
}: ThreadOptions): EmbeddingThread {
  let worker: Worker | undefined;
  let lastId = 0;
  let idleTimer: NodeJS.Timeout | undefined;
  const pending = new Map<number, Pending>();
  const ending = new Set<Promise<void>>();

  function start(): Worker {
    const input: WorkerInput = { location };
    const made = startWorker(import.meta.url, { workerData: input, execArgv });
    // The process can end while the thread waits for requests.
    made.unref();
    made.on('message', (reply: Reply) => {
      const request = pending.get(reply.id);
      if (!request) return;
      if ('result' in reply) request.resolve(reply.result as never);
      else request.reject(new EmbeddingError(reply.reason ?? 'The embedding model failed.'));
    });
    const onEnd = () => {
      if (worker !== made) return;
      worker = undefined;
      for (const { reject } of pending.values())
        reject(new EmbeddingError('The embedding model has stopped.'));
    };
    made.on('error', onEnd).on('exit', onEnd);
    return made;
  }

  function end(): void {
    clearTimeout(idleTimer);
    const ended = worker;
    worker = undefined;
    if (!ended) return;
    const exit = new Promise<void>((resolve) => {
      const timer = setTimeout(() => void ended.terminate(), closeTimeMs);
      ended.once('exit', () => {
        clearTimeout(timer);
        resolve();
      });
      ended.ref();
      const message: Message = { id: 0, kind: 'close' };
      ended.postMessage(message);
    });
    ending.add(exit);
    void exit.then(() => ending.delete(exit));
  }

  return {
    async request(kind, request, { timeLimit, signal }) {
      signal?.throwIfAborted();
      clearTimeout(idleTimer);
      worker ??= start();
      const target = worker;
      lastId += 1;
      const id = lastId;
      let timer: NodeJS.Timeout | undefined;
      let onAbort = () => {};
      try {
        return await new Promise((resolve, reject) => {
          pending.set(id, { resolve, reject });
          onAbort = () => reject(signal?.reason);
          signal?.addEventListener('abort', onAbort);
          timer = setTimeout(
            () => reject(new EmbeddingError('The embedding model did not answer in time.')),
            timeLimit,
          );
          target.postMessage({ id, kind, request } as Message);
        });
      } finally {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        pending.delete(id);
        const cancel: Message = { id, kind: 'cancel' };
        if (worker === target) target.postMessage(cancel);
        if (pending.size === 0) {
          clearTimeout(idleTimer);
          idleTimer = setTimeout(end, idleTime);
          idleTimer.unref();
        }
      }
    },
    memory: () => (worker ? modelMemory : 0),
    async close() {
      for (const { reject } of pending.values()) reject(new EmbeddingError('The server stops.'));
      end();
      await Promise.all(ending);
    },
  };
}
