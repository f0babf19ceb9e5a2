// `npm run test:simulate-faults`: the test of the simulation. Each patch of faults/ puts a fault of the past back into a copy of the
// sources, and the simulation has to find it. What it finds must not fail without the patch. Ends with 1 if less than nine of ten
// are found, or if a patch does not fit the sources any more.
//
//   npm run test:simulate-faults                            all faults, at most two minutes each
//   npm run test:simulate-faults -- NAME NAME --seconds 30
//
// A patch begins with lines that say the fault and who has mended it. After a change of the sources beside one, apply the old
// patch by hand in a clean checkout, and write `git diff` below these lines again.
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import type { Schedule } from './run/schedule.ts';
import { simulate } from './simulate.ts';

const root = join(import.meta.dirname, '..');
const folder = join(import.meta.dirname, 'faults');
/** The share of the faults that has to be found. */
const least = 0.9;

interface Finding {
  name: string;
  /** How many schedules were run, and in how many seconds, until it was found or the time was over. */
  runs: number;
  seconds: number;
  /** The broken invariant, and the shortest schedule that does it; undefined if nothing was found. */
  broken?: string | undefined;
  shrunk?: Schedule | undefined;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '120' },
    seed: { type: 'string' },
    workers: { type: 'string' },
    'no-shrink': { type: 'boolean', default: false },
  },
});
const number = (text: string | undefined) => (text === undefined ? undefined : Number(text));
const workers = number(values.workers);

const all = (await readdir(folder)).map((file) => file.replace(/\.patch$/, '')).sort();
const names = positionals.length > 0 ? all.filter((name) => positionals.includes(name)) : all;
const findings: Finding[] = [];
for (const name of names) {
  const finding = await find(name);
  findings.push(finding);
  console.log(lineOf(finding));
  if (finding.shrunk) console.log(`  ${JSON.stringify(finding.shrunk)}`);
}
const found = findings.filter(({ broken }) => broken !== undefined).length;
console.log(`\n${findings.map(lineOf).join('\n')}\n${found} of ${findings.length} faults were found.`);
if (found < least * findings.length) process.exitCode = 1;

function lineOf({ name, runs, seconds, broken, shrunk }: Finding): string {
  const place = `${runs} schedules, ${seconds.toFixed(0)} s`;
  const steps = shrunk ? `, ${shrunk.steps.length} steps` : '';
  return broken === undefined ? `MISSED ${name}: ${place}` : `found  ${name}: ${place}${steps}; ${broken}`;
}

/** Searches for the fault of a patch. */
async function find(name: string): Promise<Finding> {
  const copy = await mkdtemp(join(tmpdir(), 'simulation-fault-'));
  try {
    await cp(join(root, 'src'), join(copy, 'src'), { recursive: true });
    await cp(join(root, 'package.json'), join(copy, 'package.json'));
    await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
    const patch = join(folder, `${name}.patch`);
    // Applies to no repository, but to the files of the copy.
    const env = { ...process.env, GIT_CEILING_DIRECTORIES: tmpdir() };
    await promisify(execFile)('git', ['apply', patch], { cwd: copy, env });
    return await search(name, copy);
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

async function search(name: string, copy: string): Promise<Finding> {
  const limit = Number(values.seconds);
  const finding: Finding = { name, runs: 0, seconds: 0 };
  let seed = number(values.seed) ?? Math.floor(Math.random() * 1_000_000_000);
  while (finding.seconds < limit) {
    const seconds = limit - finding.seconds;
    const { runs, failures, ...result } = await simulate({
      root: copy,
      seed,
      seconds,
      workers,
      isShrunk: false,
    });
    finding.runs += runs;
    finding.seconds += result.seconds;
    const [failure] = failures;
    if (!failure) break;
    const { schedule } = failure;
    if (!(await fails(root, schedule))) {
      const broken = failure.faults[0];
      if (values['no-shrink']) return { ...finding, broken, shrunk: schedule };
      const [shortest] = (await simulate({ root: copy, seed, ...only(schedule) })).failures;
      return { ...finding, broken: shortest?.faults[0] ?? broken, shrunk: shortest?.shrunk ?? schedule };
    }
    console.log(`  ${name}: seed ${failure.seed} fails without the fault, too`);
    seed = failure.seed + 1_000_003;
  }
  return finding;
}

async function fails(source: string, schedule: Schedule): Promise<boolean> {
  const { failures } = await simulate({ root: source, seed: 0, ...only(schedule), isShrunk: false });
  return failures.length > 0;
}

/** The options that run nothing else. */
function only(schedule: Schedule) {
  return { first: [schedule], schedules: 0 };
}
