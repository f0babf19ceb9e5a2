// The simulation: one process, virtual time, one seed. It runs the real session, store and outbox of the widget in several tabs of
// several browsers, the real client, the real server on SQLite, the bot and members of the inbox; a simulated network, browser and
// clock are between them. A schedule of steps (run/schedule.ts), made from a seed, says what happens: messages, faults of the network
// and of storage, tabs that end and freeze, processes that are killed between two statements. Then the faults end, everything comes
// to rest, and the invariants (invariants.ts) are checked. A schedule that breaks one is shortened and printed; it can be run again.
//
//   npm run test:simulate -- --seconds 60              with fresh seeds, on all cores
//   npm run test:simulate -- --seed 7 --schedules 1    the schedule of a seed
//   npm run test:simulate -- --replay FILE             a schedule as it was printed
//   npm run test:simulate -- --kept --schedules 60     kept schedules, fixed seeds, and 60 fresh ones, as in `npm test`
//   npm run test:simulate -- --source FOLDER           the `src` of another checkout
//
// engine/: virtual time, random numbers, and the globals of a page or process. product/: the bundles of the widget and the server.
// browser/: pages, storage, network. server/: processes, database, bot. run/: schedules, steps, rest, shrinking, workers.
import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleProduct } from './product/bundle.ts';
import type { Schedule } from './run/schedule.ts';
import type { Failure, Report, Work } from './run/worker.ts';

export interface SimulationOptions {
  /** The folder of a checkout: its `src` is simulated. */
  root: string;
  seed: number;
  /** How many schedules at most; unlimited by default. */
  schedules?: number | undefined;
  /** Seconds after which no further schedule begins; unlimited by default. */
  seconds?: number | undefined;
  /** The number of steps of a schedule; by default 10 to 30. */
  steps?: number | undefined;
  /** Processes; by default one for each core. */
  workers?: number | undefined;
  /** Runs these schedules before. */
  first?: readonly Schedule[];
  /** Goes on after a failure, until each worker has seen every invariant fail. The default ends with the first one. */
  isThorough?: boolean;
  /** Whether failing schedules are shortened; the default is true. */
  isShrunk?: boolean;
  onFailure?(failure: Failure): void;
}

export interface SimulationResult {
  runs: number;
  failures: Failure[];
  /** The steps and network faults that have happened, and how often. */
  counts: Record<string, number>;
  /** Seconds of real time without building, and of virtual time. */
  seconds: number;
  virtualSeconds: number;
}

const memory = '/dev/shm';

export async function simulate(options: SimulationOptions): Promise<SimulationResult> {
  const { root, seed, first = [], isThorough = false, isShrunk = true } = options;
  const folder = await mkdtemp(join(existsSync(memory) ? memory : tmpdir(), 'simulation-'));
  const result: SimulationResult = { runs: 0, failures: [], counts: {}, seconds: 0, virtualSeconds: 0 };
  try {
    const scripts = await bundleProduct(root, folder);
    const begin = performance.now();
    const all = options.schedules ?? Number.MAX_SAFE_INTEGER;
    const count = Math.min(options.workers ?? availableParallelism(), all + first.length);
    const works = Array.from({ length: count }, (_, n): Work => {
      const share = { seed: seed + n, stride: count, schedules: Math.max(0, Math.ceil((all - n) / count)) };
      const own = first.filter((_, at) => at % count === n);
      const ms = (options.seconds ?? Number.MAX_SAFE_INTEGER) * 1_000;
      const rest = { ms, first: own, isThorough, isShrunk, steps: options.steps };
      return { scripts, folder: join(folder, `worker-${n}`), ...share, ...rest };
    });
    const isOver = new AbortController();
    await Promise.all(
      works.map((work) =>
        runWorker(work, isOver.signal, (report) => {
          if (report.type === 'ran') {
            result.runs++;
            result.virtualSeconds += report.virtualMs / 1_000;
            for (const [name, times] of Object.entries(report.counts))
              result.counts[name] = (result.counts[name] ?? 0) + times;
          }
          if (report.type !== 'failed') return;
          result.failures.push(report.failure);
          options.onFailure?.(report.failure);
          if (!isThorough) isOver.abort();
        }),
      ),
    );
    result.seconds = (performance.now() - begin) / 1_000;
    return result;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Each run makes its pages and servers, and with them the functions of which they consist: to optimize one costs more than it saves,
 * while simple machine code of a function serves all of them.
 */
const engineFlags = [
  ...['--always-sparkplug', '--interrupt-budget=1000000', '--no-flush-bytecode'],
  ...['--max-semi-space-size=64', '--single-threaded-gc'],
];

/** Resolves when the worker has ended; rejects when it has crashed. */
function runWorker(work: Work, signal: AbortSignal, onReport: (report: Report) => void): Promise<void> {
  const stripTypes = new URL('../scripts/strip-types.mjs', import.meta.url).href;
  const child = fork(new URL('./run/worker.ts', import.meta.url), {
    execArgv: ['--import', stripTypes, '--no-warnings', ...engineFlags],
  });
  const end = () => child.kill();
  signal.addEventListener('abort', end);
  return new Promise((resolve, reject) => {
    child.on('message', onReport);
    child.once('error', reject);
    child.once('exit', (code) => {
      signal.removeEventListener('abort', end);
      if (code === 0 || signal.aborted) resolve();
      else reject(new Error(`A worker of the simulation has ended with ${code}.`));
    });
    child.send(work);
  });
}
