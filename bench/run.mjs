// `npm run bench`: builds, installs the browser if needed, and runs main.ts. Node 20 cannot run TypeScript, so Vite,
// which the build uses anyway, transforms it.
import { execFileSync } from 'node:child_process';
import { runnerImport } from 'vite';

const options = process.argv.slice(2);
const allowedOptions = ['--no-build', '--record'];
const unknown = options.find((option) => option.startsWith('-') && !allowedOptions.includes(option));
if (unknown) {
  console.error(`bench: unknown option ${unknown}. Usage: npm run bench -- [NAME…] [--no-build] [--record]`);
  process.exit(2);
}

const node = (...command) => execFileSync(process.execPath, command, { stdio: 'inherit' });
if (!options.includes('--no-build')) node('scripts/build.mjs');
node('scripts/browser.mjs', 'chromium');

// main.ts runs while it is imported, because its own later imports can be transformed only until then.
await runnerImport('./bench/main.ts', { configFile: false, logLevel: 'error' });
