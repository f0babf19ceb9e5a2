// A step that is repeated while the agent is busy with an earlier run of the conversation: one that the visitor has stopped goes on at
// many agents, which take no other meanwhile.
import { setTimeout as wait } from 'node:timers/promises';
import { defaultTimes } from '../request.ts';
import { runStep, type StepOptions, type StepResult } from './step.ts';

/** Does what `runStep` does, after pauses if the agent is busy. Throws the reason of `signal` also during a pause. */
export async function runRepeatedStep(options: StepOptions): Promise<StepResult> {
  const { times, signal } = options;
  let done = await runStep(options);
  for (const pause of times.busy ?? defaultTimes.busy) {
    if (!done.isBusy) break;
    await wait(pause, undefined, { signal }).catch(() => signal.throwIfAborted());
    done = await runStep(options);
  }
  return done;
}
