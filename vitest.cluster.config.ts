// The tests of a cluster: the examples with real proxies, and the command that starts one. They belong to `npm run
// test:cluster`, because they start many processes.
import { defineConfig } from 'vitest/config';
import config, { ofCluster } from './vitest.config.ts';

export default defineConfig({ test: { ...config.test, include: [ofCluster], exclude: [] } });
