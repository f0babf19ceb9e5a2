// Entry point of `npm run test:frameworks`: installs Chromium if it is missing, builds, and runs main.ts through Vite,
// because Node 20 cannot load TypeScript. Arguments: names of recipes (default: all), --no-build.
import { execFileSync } from 'node:child_process';
import { runnerImport } from 'vite';

const node = (...command) => execFileSync(process.execPath, command, { stdio: 'inherit' });
if (!process.argv.includes('--no-build')) node('scripts/build.mjs');
node('scripts/browser.mjs', 'headless');

// main.ts runs while it is imported, because its own later imports can be transformed only until then.
await runnerImport('./e2e/frameworks/main.ts', { configFile: false, logLevel: 'error' });
