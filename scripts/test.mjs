// Runs the steps of `npm test`, or with the argument `all` those of `npm run test:all`, some beside each other: a step waits for a part
// of its time, so that one alone would leave a core idle. Prints how long each step took. Ends with 1 when a step fails: the others of
// its row run to their end, so that one run shows all failures, and the next row does not begin. The end of the output of a failed
// step is repeated as the last lines, because a CI log may be shown only from its end.
import { spawn, spawnSync } from 'node:child_process';
import { cpus } from 'node:os';
import { stripVTControlCharacters } from 'node:util';

/**
 * The two commands: the programs that their steps need, installed before them, and the steps (scripts of package.json, with
 * arguments) in their order. The queues of a row run at the same time, each with its steps one after the other.
 */
const plans = {
  short: {
    programs: ['headless'],
    rows: [
      [['check'], ['build']],
      [['test:unit'], ['test:simulate --kept --schedules 100 --tolerated 2', 'test:stories']],
    ],
  },
  // Without what `npm test` runs, but with more seeds of the simulation.
  all: {
    programs: [
      'headless-shell',
      'chromedriver',
      'firefox',
      'webkit',
      'php',
      'postgres',
      'pgbouncer',
      'redis',
      'promtool',
      'unzip',
    ],
    prepare: ['scripts/services/swift.mjs'],
    rows: [
      [['build']],
      [['test:e2e --project=rest'], ['test:postgres', 'test:integration']],
      [['test:browsers'], ['test:proxies']],
      [['test:cluster']],
      [['test:simulate --seconds 300 --tolerated 1']],
    ],
  },
};
const { programs, prepare = [], rows } = plans[process.argv[2] ?? 'short'];

/** Bytes of the output of a failed step that are repeated: the failures that a test runner lists at its end. */
const repeatedBytes = 12_000;

/**
 * Seconds in which the processors of this machine worked, for whatever runs on it. The times of ended children would be without
 * most of Chromium, whose processes are the children of others.
 */
const processorTime = () =>
  cpus().reduce((sum, { times }) => sum + (times.user + times.nice + times.sys + times.irq) / 1_000, 0);

/**
 * Runs a step.
 * @param isShown whether its output is printed at once
 * @returns its exit code, the seconds that it took, and its output
 */
function run(step, isShown) {
  const begin = performance.now();
  const [script, ...args] = step.split(' ');
  const child = spawn('npm', ['run', '--silent', script, '--', ...args], {
    stdio: ['inherit', 'pipe', 'pipe'],
  });
  const output = [];
  for (const stream of ['stdout', 'stderr']) {
    child[stream].on('data', (part) => {
      output.push(part);
      if (isShown) process[stream].write(part);
    });
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      const seconds = (performance.now() - begin) / 1_000;
      resolve({ step, code, seconds, isShown, output: Buffer.concat(output) });
    });
  });
}

/** The lines of Playwright and vitest that name failed tests: each once, without colors, the first 30. */
function failedTests(output) {
  const lines = stripVTControlCharacters(output).split('\n');
  const named = lines.filter((line) => /^\s*(✘|FAIL )/.test(line)).map((line) => line.trim());
  return [...new Set(named)].slice(0, 30);
}

const begin = performance.now();
for (const command of [['scripts/browser.mjs', ...programs], ...prepare.map((file) => [file])]) {
  const { status } = spawnSync(process.execPath, command, { stdio: 'inherit' });
  // It has printed what is missing.
  if (status !== 0) process.exit(1);
}
const lines = [];
const failures = [];
for (const row of rows) {
  const start = { time: performance.now(), work: processorTime() };
  await Promise.all(
    row.map(async (steps, index) => {
      for (const name of steps) {
        const { step, code, seconds, isShown, output } = await run(name, index === 0);
        if (!isShown) process.stdout.write(output);
        lines.push(`${step.padEnd(14)} ${seconds.toFixed(0).padStart(5)} s${code === 0 ? '' : '  failed'}`);
        if (code !== 0) failures.push({ step, output });
      }
    }),
  );
  const work = processorTime() - start.work;
  const share = (work * 1_000) / (performance.now() - start.time) / cpus().length;
  lines.push(
    `${''.padEnd(14)} ${work.toFixed(0).padStart(5)} s of processor time, ${(share * 100).toFixed(0)} % of the cores`,
  );
  if (failures.length > 0) break;
}
for (const { step, output } of failures)
  console.log(`\nThe end of the output of ${step}:\n${output.subarray(-repeatedBytes)}`);
for (const { step, output } of failures)
  lines.push(...failedTests(output.toString()).map((line) => `${step}: ${line}`));
lines.push(`${'all'.padEnd(14)} ${((performance.now() - begin) / 1_000).toFixed(0).padStart(5)} s`);
console.log(`\n${lines.join('\n')}`);
if (failures.length > 0) process.exitCode = 1;
