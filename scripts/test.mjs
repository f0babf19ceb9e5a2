// `npm test`: runs all steps, some beside each other, so that both cores of a small machine are busy: the unit tests and those
// of PostgreSQL wait for a part of their time. Prints how long each step took. Ends with 1 when a step fails, without the next ones.
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** What the steps would install, if it is missing, at the same time, which the package manager refuses. */
const programs = ['headless', 'php', 'postgres', 'pgbouncer', 'redis', 'promtool'];

/** The steps (scripts of package.json) in their order; those of one row run at the same time. */
const rows = [['check', 'build'], ['test:unit', 'test:postgres'], ['test:e2e']];

/** Seconds of processor time of all ended children, on Linux; undefined elsewhere. */
function processorTime() {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return (Number(fields[13]) + Number(fields[14])) / 100;
  } catch {
    return undefined;
  }
}

/**
 * Runs a step.
 * @param isShown whether its output is printed at once; otherwise it is returned
 * @returns its exit code and the seconds that it took
 */
function run(step, isShown) {
  const begin = performance.now();
  const child = spawn('npm', ['run', '--silent', step], { stdio: isShown ? 'inherit' : 'pipe' });
  const output = [];
  child.stdout?.on('data', (part) => output.push(part));
  child.stderr?.on('data', (part) => output.push(part));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      const seconds = (performance.now() - begin) / 1_000;
      resolve({ step, code, seconds, output: Buffer.concat(output) });
    });
  });
}

const begin = performance.now();
execFileSync(process.execPath, ['scripts/swift.mjs'], { stdio: 'inherit' });
execFileSync(process.execPath, ['scripts/browser.mjs', ...programs], { stdio: 'inherit' });
const lines = [];
let failed = false;
for (const row of rows) {
  const before = processorTime();
  const results = await Promise.all(row.map((step, index) => run(step, index === 0)));
  for (const { step, code, seconds, output } of results) {
    process.stdout.write(output);
    lines.push(`${step.padEnd(14)} ${seconds.toFixed(0).padStart(5)} s${code === 0 ? '' : '  failed'}`);
    failed ||= code !== 0;
  }
  const after = processorTime();
  if (after !== undefined)
    lines.push(`${''.padEnd(14)} ${(after - before).toFixed(0).padStart(5)} s of processor time`);
  if (failed) break;
}
lines.push(`${'all'.padEnd(14)} ${((performance.now() - begin) / 1_000).toFixed(0).padStart(5)} s`);
console.log(`\n${lines.join('\n')}`);
if (failed) process.exitCode = 1;
