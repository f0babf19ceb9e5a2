// Runs a schedule from its begin to its end.
import type { Engine } from '../server/engine.ts';
import { Fixture } from './fixture.ts';
import { perform } from './perform.ts';
import type { Schedule } from './schedule.ts';
import { settle } from './settle.ts';

export interface Outcome {
  /** The broken invariants, one line each. */
  faults: string[];
  /** The steps, requests and answers, for comparison with another run of the same schedule. */
  trace: string[];
  /** The actions and network faults that have happened, and how often. */
  counts: Record<string, number>;
  /** Milliseconds of virtual time. */
  virtualMs: number;
}

/** Milliseconds between two steps. */
const gapMs = 3;

export async function run(engine: Engine, schedule: Schedule): Promise<Outcome> {
  let current: Fixture | undefined;
  const onRejection = (error: unknown) => current?.onError('a promise', error);
  process.on('unhandledRejection', onRejection);
  const fixture = await Fixture.start(engine, schedule);
  current = fixture;
  const counts: Record<string, number> = {};
  let faults: string[];
  try {
    for (const step of schedule.steps) {
      counts[step.do] = (counts[step.do] ?? 0) + 1;
      fixture.network.log.push(JSON.stringify(step));
      await perform(fixture, step);
      await fixture.clock.advance(gapMs);
    }
    faults = await settle(fixture);
  } catch (error) {
    faults = [`the run: ${error instanceof Error ? error.stack : String(error)}`];
  }
  for (const [fault, count] of Object.entries(fixture.network.happened)) counts[`network: ${fault}`] = count;
  counts.typed = fixture.typed.length;
  const outcome = {
    faults: [...new Set(faults)],
    trace: fixture.network.log,
    counts,
    virtualMs: fixture.clock.time - engine.startTime,
  };
  await fixture.end();
  process.off('unhandledRejection', onRejection);
  return outcome;
}

/** The invariant that a line is about. */
export const invariantOf = (fault: string): string => fault.split(':')[0] ?? '';
