// The kinds of tests that Vitest runs: `npm run test:unit`, `test:integration`, `test:postgres` and `test:proxies`. Playwright runs
// the others (playwright.config.ts). Files that need a DOM say so on their first line.
import './e2e/support/machine/environment.ts';
import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { ofPostgres, ofPostgresOnly, ofProxies } from './scripts/vitest/files.ts';
import ByEnvironment from './scripts/vitest/sequence.ts';

/** Tests that start processes, threads or services, or that try many random cases. */
const ofIntegration = '**/*.integration.test.ts';
const folders = './scripts/vitest/folders.ts';

export default defineConfig({
  test: {
    // A process for each file costs a quarter of the time (scripts/vitest/setup.ts).
    isolate: false,
    // Most objects of the tests live for a moment: with the default space for them the garbage collector takes an eighth of the time.
    execArgv: ['--max-semi-space-size=64'],
    sequence: { sequencer: ByEnvironment },
    // Tests wait for a third of their time: with as many workers as cores, two cores are used to two thirds.
    maxWorkers: availableParallelism() + 1,
    globalSetup: folders,
    setupFiles: './scripts/vitest/setup.ts',
    // On a busy machine a condition may take its time; a test fails by its condition, not by the clock.
    // The longest property takes 60 s at a load of 18 on two cores.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 20_000 } },
    // Its modules import each other without an extension, as bundlers allow.
    server: { deps: { inline: ['temml'] } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['{src,demo,bench,e2e,simulation}/**/*.test.{ts,tsx}'],
          exclude: [...configDefaults.exclude, ofIntegration, ofProxies, ...ofPostgresOnly],
        },
      },
      {
        extends: true,
        test: { name: 'integration', include: [ofIntegration], exclude: configDefaults.exclude },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          include: ofPostgres(),
          globalSetup: [folders, './scripts/vitest/postgres.ts'],
          // Several processes share a PostgreSQL, so that bot events are claimed and writes of handlers are fenced.
          env: { TEST_DATABASE: 'postgres', TEST_RELAY: 'on' },
        },
      },
      { extends: true, test: { name: 'proxies', include: [ofProxies] } },
    ],
  },
});
