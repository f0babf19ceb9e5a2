// Tests that a failing schedule is shortened as far as it still fails.
import { expect, test } from 'vitest';
import { generate } from './generate.ts';
import type { Schedule, Step } from './schedule.ts';
import { shrink } from './shrink.ts';

test('the shortest schedule that still fails is found, with the smallest numbers', async () => {
  const needed: Step[] = [
    { do: 'type', tab: 3, word: 'stream', count: 3 },
    { do: 'kill', process: 1, at: 'commit', count: 12 },
  ];
  const { steps, ...rest } = generate(5, 40);
  const schedule: Schedule = { ...rest, steps: [...steps.slice(0, 9), ...needed, ...steps.slice(9)] };
  const fails = async (candidate: Schedule) => {
    const killed = candidate.steps.findLastIndex((step) => step.do === 'kill' && (step.count ?? 0) >= 2);
    return candidate.steps.slice(0, Math.max(0, killed)).some((step) => step.do === 'type');
  };
  const { steps: remaining } = await shrink(schedule, fails);
  expect(remaining.map((step) => step.do)).toEqual(['type', 'kill']);
  expect(remaining[0]).toMatchObject({ tab: 0, word: 'echo', count: 1 });
  expect(remaining[1]).toMatchObject({ count: 2 });
});

test('a schedule of a seed is always the same, and those of two seeds differ', () => {
  expect(generate(7)).toEqual(generate(7));
  expect(generate(7)).not.toEqual(generate(8));
});
