// The unit tests that `npm test` runs. Those of several processes run on PostgreSQL there (vitest.postgres.config.ts): with SQLite a
// server is one process. `npx vitest run` runs all of them.
import { defineConfig } from 'vitest/config';
import config from './vitest.config.ts';

const ofSeveralProcesses = [
  'src/server/bots/claims/claims.test.ts',
  'src/server/chat/answer-pushes/processes.test.ts',
  'src/server/cluster/{background,cluster,connect-relay,races}.test.ts',
  'src/server/metrics/cluster-metrics.test.ts',
];

export default defineConfig({
  test: { ...config.test, exclude: [...(config.test?.exclude ?? []), ...ofSeveralProcesses] },
});
