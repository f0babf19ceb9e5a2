// The long form of the tests under faults: many runs of the session under chance, then storm after storm on one page.
// SCHEDULES=100 or MINUTES=30, RUNS=1000, SEED=1, KILLS=0 (see docs/testing.md).
import { spawnSync } from 'node:child_process';

const { SEED, RUNS = '500', ...env } = process.env;
const seed = SEED ?? String(Math.floor(Math.random() * 1e6));
console.log(`SEED=${seed}`);
const run = (bin, args, more) => {
  const { status } = spawnSync('npx', [bin, ...args], {
    stdio: 'inherit',
    env: { SCHEDULES: '20', ...env, SEED: seed, ...more },
  });
  return status ?? 1;
};

const failures = [
  run('vitest', ['run', 'src/widget/chat/session/faults.test.ts'], { FAULT_RUNS: RUNS }),
  run('playwright', ['test', 'e2e/faults.spec.ts', '--workers=1', '--retries=0'], { SOAK: '1' }),
];
process.exit(Math.max(...failures));
