// Entry point of `npm run test:stress crash|fuzz|soak`: runs the long forms of tests that `npm test` runs in short.
// Vite loads the TypeScript, as in bench/run.mjs.
import { runnerImport } from 'vite';

if (process.argv[2] === 'soak') await import('./soak.mjs');
else await runnerImport('./e2e/stress/main.ts', { configFile: false, logLevel: 'error' });
