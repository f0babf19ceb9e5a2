// `npm run bench`: builds, makes sure of a browser, and runs main.ts. Node 20 reads no TypeScript, so Vite, which the
// build uses anyway, reads it here: one line instead of a build of its own. It measures nothing itself.
import { execFileSync } from 'node:child_process';
import { runnerImport } from 'vite';

const options = process.argv.slice(2);
const known = ['--no-build', '--record'];
const unknown = options.find((option) => option.startsWith('-') && !known.includes(option));
if (unknown) {
  console.error(`bench: unknown option ${unknown}. Usage: npm run bench -- [NAME…] [--no-build] [--record]`);
  process.exit(2);
}

const node = (script) => execFileSync(process.execPath, [script], { stdio: 'inherit' });
if (!options.includes('--no-build')) node('scripts/build.mjs');
node('scripts/browser.mjs');

// It runs while it is imported: what it imports later by itself can only be read until then.
await runnerImport('./bench/main.ts', { configFile: false, logLevel: 'error' });
