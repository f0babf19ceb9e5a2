// `npm run crash`, `npm run fuzz`: the long forms of what `npm test` tries in short. Vite reads the TypeScript, as in
// bench/run.mjs. It tries nothing itself.
import { runnerImport } from 'vite';

await runnerImport('./trials/main.ts', { configFile: false, logLevel: 'error' });
