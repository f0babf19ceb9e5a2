// Runs a schedule from its begin to its end.
import type { Engine } from '../server/engine.ts';
import { perform } from './perform.ts';
import type { Schedule } from './schedule.ts';
import { settle } from './settle.ts';
import { World } from './world.ts';

export interface Outcome {
  /** The broken invariants, one line each. */
  faults: string[];
  /** What has happened, for comparison with another run of the same schedule. */
  trace: string[];
  /** The actions and network faults that have happened, and how often. */
  counts: Record<string, number>;
  /** Milliseconds of virtual time. */
  virtualMs: number;
}

/** Milliseconds between two steps. */
const gapMs = 3;

export async function run(engine: Engine, schedule: Schedule): Promise<Outcome> {
  let current: World | undefined;
  const onRejection = (error: unknown) => current?.onError('a promise', error);
  process.on('unhandledRejection', onRejection);
  const world = await World.start(engine, schedule);
  current = world;
  const counts: Record<string, number> = {};
  let faults: string[];
  try {
    for (const step of schedule.steps) {
      counts[step.do] = (counts[step.do] ?? 0) + 1;
      world.network.log.push(JSON.stringify(step));
      await perform(world, step);
      await world.clock.advance(gapMs);
    }
    faults = await settle(world);
  } catch (error) {
    faults = [`the run: ${error instanceof Error ? error.stack : String(error)}`];
  }
  for (const [fault, count] of Object.entries(world.network.happened)) counts[`network: ${fault}`] = count;
  counts.typed = world.typed.length;
  const outcome = {
    faults: [...new Set(faults)],
    trace: world.network.log,
    counts,
    virtualMs: world.clock.time - engine.startTime,
  };
  await world.end();
  process.off('unhandledRejection', onRejection);
  return outcome;
}

/** The invariant that a line is about. */
export const invariantOf = (fault: string): string => fault.split(':')[0] ?? '';
