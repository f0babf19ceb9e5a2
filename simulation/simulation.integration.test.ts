// Tests that a run of the simulation depends on nothing but its schedule.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundleProduct } from './product/bundle.ts';
import { generate } from './run/generate.ts';
import { run } from './run/run.ts';
import { Engine } from './server/engine.ts';

let folder: string;
let engine: Engine;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'simulation-'));
  const scripts = await bundleProduct(join(import.meta.dirname, '..'), folder);
  engine = await Engine.create(scripts, join(folder, 'data'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test.each([1, 2, 9, 24])(
  'the schedule of seed %i gives the same requests, time and end twice',
  async (seed) => {
    const schedule = generate(seed);
    const first = await run(engine, schedule);
    expect(first.trace.length).toBeGreaterThan(schedule.steps.length);
    expect(first.faults).toEqual([]);
    // Another run between them changes nothing.
    await run(engine, generate(seed + 1));
    expect(await run(engine, schedule)).toEqual(first);
  },
);
