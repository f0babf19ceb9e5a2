// `npm run test:simulate`: reads the options, prints what fails, and ends with 1 if more of it fails than is tolerated.
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { generate } from './run/generate.ts';
import type { Schedule } from './run/schedule.ts';
import type { Failure } from './run/worker.ts';
import { type SimulationResult, simulate } from './simulate.ts';

const number = (text: string | undefined): number | undefined => {
  if (text === undefined) return undefined;
  if (!/^\d+$/.test(text)) throw new Error(`Expected a number instead of ${text}.`);
  return Number(text);
};

const { values } = parseArgs({
  options: {
    /** The first seed; by default another one each time. */
    seed: { type: 'string' },
    schedules: { type: 'string' },
    seconds: { type: 'string' },
    steps: { type: 'string' },
    workers: { type: 'string' },
    replay: { type: 'string' },
    /** Runs the schedules that once found a fault, and fixed seeds, before the others. */
    kept: { type: 'boolean', default: false },
    source: { type: 'string', default: process.cwd() },
    /** Goes on after the first failure. */
    'keep-going': { type: 'boolean', default: false },
    /** The number of a hundred fresh schedules that may fail; then the first failure does not end the run. */
    tolerated: { type: 'string', default: '0' },
    'no-shrink': { type: 'boolean', default: false },
    /** Prints how often each step and fault has happened. */
    counts: { type: 'boolean', default: false },
  },
});

/** Seeds that are always the same, so that a change is compared with what was there before. */
const fixedSeeds = 100;
const seed = number(values.seed) ?? fixedSeeds + 1 + Math.floor(Math.random() * 1_000_000_000);
const tolerated = number(values.tolerated) ?? 0;
const read = (file: string): Schedule => JSON.parse(readFileSync(file, 'utf8'));
const schedulesFolder = join(import.meta.dirname, 'schedules');
const storedSchedules = () => [
  ...readdirSync(schedulesFolder).map((file) => read(join(schedulesFolder, file))),
  ...Array.from({ length: fixedSeeds }, (_, n) => generate(n + 1)),
];
const first = [...(values.replay ? [read(values.replay)] : []), ...(values.kept ? storedSchedules() : [])];
const isReplay = values.replay !== undefined;
const result = await simulate({
  root: resolve(values.source),
  seed,
  first,
  schedules: isReplay ? 0 : number(values.schedules),
  seconds: number(values.seconds) ?? (values.schedules === undefined && !isReplay ? 20 : undefined),
  steps: number(values.steps),
  workers: number(values.workers),
  isThorough: values['keep-going'] || tolerated > 0,
  isShrunk: !values['no-shrink'] && !isReplay,
  onFailure({ seed: failed, faults, shrunk }) {
    console.log(`\nFAIL seed ${failed}\n  ${faults.join('\n  ')}\n${JSON.stringify(shrunk)}`);
  },
});
console.log(summary(result));
if (values.counts) console.log(JSON.stringify(result.counts, null, 2));
const isFresh = ({ seed: failed }: Failure) => !first.some((one) => one.seed === failed);
const allowed = ((result.runs - first.length) * tolerated) / 100;
if (!result.failures.every(isFresh) || result.failures.length > allowed) process.exitCode = 1;

function summary({ runs, failures, seconds, virtualSeconds }: SimulationResult): string {
  const perMinute = Math.round((runs / seconds) * 60);
  const hours = (virtualSeconds / 3_600).toFixed(1);
  return `simulation: ${runs} schedules from seed ${seed}, ${failures.length} failed, ${seconds.toFixed(0)} s, ${perMinute} a minute, ${hours} simulated hours`;
}
