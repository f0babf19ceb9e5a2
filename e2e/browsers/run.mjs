// `npm run test:browsers`: makes sure of the browsers, builds if something has changed, and runs main.ts; Node 20 reads
// no TypeScript, Vite does. It tests nothing itself.
import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { runnerImport } from 'vite';

const node = (...args) => execFileSync(process.execPath, args, { stdio: 'inherit' });
const engines = ['chromium', 'firefox', 'webkit'];
const wanted = process.argv.slice(2).filter((name) => engines.includes(name));

/** The newest change in a folder, and in all below it; 0 where there is none. */
function newest(path) {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found?.isDirectory()) return found?.mtimeMs ?? 0;
  return Math.max(0, ...readdirSync(path).map((name) => newest(join(path, name))));
}

try {
  node('scripts/browser.mjs', ...(wanted.length ? wanted : engines));
  const sources = ['src', 'demo', 'scripts/build.mjs', 'vite.config.ts', 'package-lock.json'];
  if (newest('dist/node') < Math.max(...sources.map(newest))) node('scripts/build.mjs');
} catch {
  // It has said why.
  process.exit(1);
}

// It runs while it is imported: what it imports later by itself can only be read until then.
await runnerImport('./e2e/browsers/main.ts', { configFile: false, logLevel: 'error' });
