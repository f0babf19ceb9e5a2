// `node bench/recovery.mjs`, after a build: runs recovery.ts, as run.mjs runs main.ts.
import { runnerImport } from 'vite';

await runnerImport('./bench/recovery.ts', { configFile: false, logLevel: 'error' });
