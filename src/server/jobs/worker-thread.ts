// Starts the worker threads of the server.
import { Worker, type WorkerOptions } from 'node:worker_threads';

/**
 * Starts the thread whose file is `worker.ts` (`worker.js` after the build) beside the module with the address `module`.
 * `execArgv`: Node flags of the thread; to run the sources, it needs a flag that strips their types.
 */
export function startWorker(
  module: string,
  options: Pick<WorkerOptions, 'workerData' | 'resourceLimits' | 'execArgv'>,
): Worker {
  const extension = module.endsWith('.ts') ? 'ts' : 'js';
  const worker = new Worker(new URL(`./worker.${extension}`, module), {
    ...options,
    // The thread gets no environment variables of the server, and the output of libraries does not appear in the log.
    env: {},
    stdout: true,
    stderr: true,
  });
  worker.stdout.resume();
  worker.stderr.resume();
  return worker;
}
