// Tests that requests for the same work are joined, whenever they come.
import { effect, signal } from '@preact/signals';
import { expect, test } from 'vitest';
import { createCoalescer } from './coalesce.ts';

const create = () =>
  createCoalescer(new AbortController().signal, (error) => {
    throw error;
  });

test('work that asks for itself when it starts runs once more, after it has ended', async () => {
  const coalesce = create();
  const runs: string[] = [];
  let joined: Promise<void> | undefined;
  const work = async () => {
    runs.push('start');
    joined ??= coalesce('name', work);
    await Promise.resolve();
    runs.push('end');
  };
  await coalesce('name', work);
  await joined;
  expect(runs).toEqual(['start', 'end', 'start', 'end']);
});

test('the work that is done after the present one is the last that was asked for', async () => {
  const coalesce = create();
  const runs: string[] = [];
  const named = (name: string) => async () => {
    await Promise.resolve();
    runs.push(name);
  };
  const first = coalesce('name', named('first'));
  await Promise.resolve();
  await Promise.all([first, coalesce('name', named('second')), coalesce('name', named('third'))]);
  expect(runs).toEqual(['first', 'third']);
});

test('an effect that asks for work does not depend on what the work reads', async () => {
  const coalesce = create();
  const value = signal(0);
  let runs = 0;
  const stop = effect(() => {
    void coalesce('name', async () => {
      runs += value.value === 0 ? 1 : 2;
    });
  });
  await coalesce('other', async () => {});
  value.value = 1;
  await coalesce('other', async () => {});
  expect(runs).toBe(1);
  stop();
});
