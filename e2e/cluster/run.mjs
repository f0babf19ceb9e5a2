// Entry point of `npm run test:cluster`. Vite loads the TypeScript, as in bench/run.mjs.
import { runnerImport } from 'vite';

await runnerImport('./e2e/cluster/main.ts', { configFile: false, logLevel: 'error' });
