// Unit and contract tests, beside their sources. Files that need a DOM say so on their first line.
import './e2e/support/machine/environment.ts';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import ByEnvironment from './vitest.sequence.ts';

/** The tests that are only for PostgreSQL (vitest.postgres.config.ts). */
export const ofPostgres = 'src/server/storage/postgres/**/*.test.ts';

/** Tests with several processes and proxies (vitest.cluster.config.ts). */
export const ofCluster = 'e2e/cluster/**/*.test.ts';

export default defineConfig({
  test: {
    include: [
      'src/**/*.test.ts',
      'src/**/*.test.tsx',
      'demo/**/*.test.ts',
      'bench/**/*.test.ts',
      'e2e/**/*.test.ts',
    ],
    exclude: ['**/node_modules/**', ofPostgres, ofCluster],
    environment: 'node',
    // A process for each file costs a quarter of the time (vitest.setup.ts).
    isolate: false,
    sequence: { sequencer: ByEnvironment },
    globalSetup: './vitest.folders.ts',
    setupFiles: './vitest.setup.ts',
    // Tests wait for a third of their time: with as many workers as cores, two cores are used to two thirds.
    maxWorkers: availableParallelism() + 1,
    // On a busy machine a condition may take its time; a test fails by its condition, not by the clock.
    // The longest property takes 60 s at a load of 18 on two cores.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 20_000 } },
    // Its modules import each other without an extension, as bundlers allow.
    server: { deps: { inline: ['temml'] } },
  },
});
