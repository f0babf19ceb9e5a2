// A worker process: runs the schedules of its seeds, or given ones, until it is told to stop. Shrinks what fails.

import type { Scripts } from '../product/bundle.ts';
import { Engine } from '../server/engine.ts';
import { generate } from './generate.ts';
import { invariantOf, type Outcome, run } from './run.ts';
import type { Schedule } from './schedule.ts';
import { shrink } from './shrink.ts';

/** The task of a worker. */
export interface Work {
  scripts: Scripts;
  folder: string;
  /** The seeds `seed`, `seed + step`, and so on, `schedules` of them. */
  seed: number;
  stride: number;
  schedules: number;
  /** The number of steps of each; by default it differs. */
  steps: number | undefined;
  /** Milliseconds after which no further schedule begins. */
  ms: number;
  /** Runs these before. */
  first: Schedule[];
  /** Goes on after a failure, with other invariants. */
  isThorough: boolean;
  isShrunk: boolean;
}

export interface Failure {
  seed: number;
  faults: string[];
  schedule: Schedule;
  shrunk: Schedule;
}

/** The messages of a worker. */
export type Report =
  | { type: 'ran'; counts: Record<string, number>; virtualMs: number }
  | { type: 'failed'; failure: Failure }
  | { type: 'done' };

export type Send = (report: Report) => void;

export async function work(task: Work, send: Send): Promise<void> {
  const engine = await Engine.create(task.scripts, task.folder);
  const until = performance.now() + task.ms;
  const seenInvariants = new Set<string>();
  for (const schedule of schedulesOf(task)) {
    if (performance.now() > until) break;
    const { faults, counts, virtualMs } = await run(engine, schedule);
    send({ type: 'ran', counts, virtualMs });
    const invariants = faults.map(invariantOf);
    if (faults.length === 0 || invariants.every((name) => seenInvariants.has(name))) continue;
    for (const name of invariants) seenInvariants.add(name);
    send({ type: 'failed', failure: await shrunkFailure(engine, schedule, faults, task.isShrunk) });
    if (!task.isThorough) break;
  }
  send({ type: 'done' });
}

function* schedulesOf({ first, seed, stride, schedules, steps }: Work): Generator<Schedule> {
  yield* first;
  for (let n = 0; n < schedules; n++) yield generate(seed + n * stride, steps);
}

async function shrunkFailure(
  engine: Engine,
  schedule: Schedule,
  faults: string[],
  isShrunk: boolean,
): Promise<Failure> {
  const searched = invariantOf(faults[0] ?? '');
  let last: Outcome | undefined;
  const fails = async (candidate: Schedule) => {
    const outcome = await run(engine, candidate);
    const isSame = outcome.faults.some((fault) => invariantOf(fault) === searched);
    if (isSame) last = outcome;
    return isSame;
  };
  const shrunk = isShrunk ? await shrink(schedule, fails) : schedule;
  return { seed: schedule.seed, faults: last?.faults ?? faults, schedule, shrunk };
}

if (process.send) {
  process.once('message', (task: Work) => {
    work(task, (report) => process.send?.(report)).then(
      () => process.disconnect(),
      (error) => {
        console.error(error);
        process.exit(2);
      },
    );
  });
}
