// Starts the worker threads of the server.
// Why not `piscina`: each thread has limits, a lifetime and messages of its own; no two are alike (decision 152).
import { SHARE_ENV, Worker, type WorkerOptions } from 'node:worker_threads';

/**
 * Starts the thread whose file is `worker.ts` (`worker.js` after the build) next to the module with the address `module`.
 * `execArgv`: Node flags of the thread; to run the sources, it needs a flag that strips their types. `isTrusted`: it has the
 * environment variables and the output of the process; other threads have neither, so that they learn no secrets and the
 * output of libraries does not appear in the log.
 */
export function startWorker(
  module: string,
  options: {
    workerData: unknown;
    resourceLimits?: WorkerOptions['resourceLimits'] | undefined;
    execArgv?: string[] | undefined;
    isTrusted?: boolean;
  },
): Worker {
  const extension = module.endsWith('.ts') ? 'ts' : 'js';
  const { workerData, resourceLimits, execArgv, isTrusted = false } = options;
  const worker = new Worker(new URL(`./worker.${extension}`, module), {
    workerData,
    ...(resourceLimits === undefined ? {} : { resourceLimits }),
    ...(execArgv === undefined ? {} : { execArgv }),
    ...(isTrusted ? { env: SHARE_ENV } : { env: {}, stdout: true, stderr: true }),
  });
  if (!isTrusted) {
    worker.stdout.resume();
    worker.stderr.resume();
  }
  return worker;
}
