// Entry point of `npm run test:browsers`: installs missing browsers, builds if a source has changed, and runs main.ts
// through Vite, because Node 20 cannot load TypeScript.
import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { runnerImport } from 'vite';

const node = (...args) => execFileSync(process.execPath, args, { stdio: 'inherit' });
const engines = ['chromium', 'firefox', 'webkit'];
const requested = process.argv.slice(2).filter((name) => engines.includes(name));

/** Returns the time of the newest change in a folder and its subfolders; 0 when it does not exist. */
function newest(path) {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found?.isDirectory()) return found?.mtimeMs ?? 0;
  return Math.max(0, ...readdirSync(path).map((name) => newest(join(path, name))));
}

try {
  const names = requested.length ? requested : engines;
  node('scripts/browser.mjs', ...names.map((name) => (name === 'chromium' ? 'chromedriver' : name)));
  const sources = ['src', 'demo', 'scripts/build.mjs', 'vite.config.ts', 'package-lock.json'];
  if (newest('dist/node') < Math.max(...sources.map(newest))) node('scripts/build.mjs');
} catch {
  // The failed program has already printed the reason.
  process.exit(1);
}

// main.ts runs during this import, because Vite can load further modules only until the import resolves.
await runnerImport('./e2e/browsers/main.ts', { configFile: false, logLevel: 'error' });
