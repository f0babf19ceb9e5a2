// Shortens a schedule that breaks an invariant, as long as it breaks the same one: drops halves, quarters and single steps (delta
// debugging), and then makes what is left simpler.
import type { Schedule, Step } from './schedule.ts';

/** Whether a schedule still fails in the same way. */
export type Fails = (schedule: Schedule) => Promise<boolean>;

/** @param attempts at most as many runs */
export async function shrink(schedule: Schedule, fails: Fails, attempts = 400): Promise<Schedule> {
  let best = schedule;
  let left = attempts;
  const attempt = async (candidate: Schedule): Promise<boolean> => {
    if (left-- <= 0 || !(await fails(candidate))) return false;
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
      for (let at = best.steps.length - size; at > -size && left > 0; at -= size) {
        const from = Math.max(0, at);
        const steps = best.steps.filter((_, n) => n < from || n >= at + size);
        if (steps.length < best.steps.length) await attempt({ ...best, steps });
      }
    }
  };
  await attempt({ ...best, processes: 1 });
  for (let before = 0; before !== best.steps.length && left > 0; ) {
    before = best.steps.length;
    await dropSteps();
    for (let n = 0; n < best.steps.length; n++) {
      for (const step of simpler(best.steps[n] as Step)) {
        await attempt({ ...best, steps: best.steps.map((other, m) => (m === n ? step : other)) });
      }
    }
  }
  return best;
}

/** The same step with smaller numbers, each alone. */
function simpler(step: Step): Step[] {
  const changes: object[] = [];
  for (const [name, value] of Object.entries(step)) {
    if (typeof value !== 'number') continue;
    const least = name === 'count' || name === 'times' ? 1 : 0;
    if (value > least) changes.push({ [name]: least });
    if (value > least + 3) changes.push({ [name]: Math.floor(value / 2) });
  }
  if (step.do === 'type' && step.word !== 'echo') changes.push({ word: 'echo' });
  return changes.map((change) => ({ ...step, ...change }) as Step);
}
