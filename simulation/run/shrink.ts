// Shortens a schedule that breaks an invariant, as long as it breaks the same one: drops halves, quarters and single steps (delta
// debugging), and then makes what is left simpler.
import type { Schedule, Step } from './schedule.ts';

/** Whether a schedule still fails in the same way. */
export type Fails = (schedule: Schedule) => Promise<boolean>;

/** @param attempts at most as many runs */
export async function shrink(schedule: Schedule, fails: Fails, attempts = 400): Promise<Schedule> {
  let best = schedule;
  let remaining = attempts;
  const attempt = async (candidate: Schedule): Promise<boolean> => {
    if (remaining-- <= 0 || !(await fails(candidate))) return false;
    best = candidate;
    return true;
  };
  const dropSteps = async () => {
    for (
      let size = Math.ceil(best.steps.length / 2);
      size >= 1;
      size = size === 1 ? 0 : Math.ceil(size / 2)
    ) {
      // From the end: what comes last depends on what comes first.
      for (let at = best.steps.length - size; at > -size && remaining > 0; at -= size) {
        const from = Math.max(0, at);
        const steps = best.steps.filter((_, n) => n < from || n >= at + size);
        if (steps.length < best.steps.length) await attempt({ ...best, steps });
      }
    }
  };
  /** Takes the first simpler form of a step with which the schedule still fails. */
  const simplify = async (at: number): Promise<boolean> => {
    for (const change of simpler(best.steps[at] as Step)) {
      const step = { ...best.steps[at], ...change } as Step;
      if (await attempt({ ...best, steps: best.steps.map((other, n) => (n === at ? step : other)) }))
        return true;
    }
    return false;
  };
  await attempt({ ...best, processes: 1 });
  for (let before = 0; before !== best.steps.length && remaining > 0; ) {
    before = best.steps.length;
    await dropSteps();
    for (let n = 0; n < best.steps.length; n++) {
      while (await simplify(n)) {
        // As long as it still fails.
      }
    }
  }
  return best;
}

/** Simpler forms of a step: each smaller number, and the simplest word. */
function simpler(step: Step): object[] {
  const changes: object[] = [];
  for (const [name, value] of Object.entries(step)) {
    if (typeof value !== 'number') continue;
    const least = name === 'count' || name === 'times' ? 1 : 0;
    const smaller = [least, Math.floor((value + least) / 2), value - 1];
    if (value > least) changes.push(...[...new Set(smaller)].map((next) => ({ [name]: next })));
  }
  if (step.do === 'frames' && step.faults.length > 1) changes.push({ faults: step.faults.slice(1) });
  if (step.do === 'type' && step.word !== 'echo') changes.push({ word: 'echo' });
  return changes;
}
