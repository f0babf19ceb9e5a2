// The soak test: many schedules of the simulation, then repeated chaos runs on one page. SCHEDULES=100 or
// MINUTES=30, RUNS=1000, SEED=1, KILLS=0 (see docs/guides/testing.md).
import { spawnSync } from 'node:child_process';

const { SEED, RUNS = '500', ...env } = process.env;
const seed = SEED ?? String(Math.floor(Math.random() * 1e6));
console.log(`SEED=${seed}`);
const run = (program, args, more) => {
  const { status } = spawnSync(program, args, {
    stdio: 'inherit',
    env: { SCHEDULES: '20', ...env, SEED: seed, ...more },
  });
  return status ?? 1;
};

for (const script of ['scripts/build.mjs', 'scripts/browser.mjs']) {
  const status = run(process.execPath, [script]);
  if (status) process.exit(status);
}
const failures = [
  run('npm', ['run', 'test:simulate', '--', '--seed', seed, '--schedules', RUNS]),
  run('npx', ['playwright', 'test', 'e2e/reliability/network-faults.spec.ts', '--workers=1', '--retries=0'], {
    SOAK: '1',
  }),
];
process.exit(Math.max(...failures));
