// Entry point of `npm run test:browsers`: installs missing browsers, builds if dist was not built from the present sources, and runs
// main.ts through Vite, because Node 20 cannot load TypeScript.
import { execFileSync } from 'node:child_process';
import { runnerImport } from 'vite';
import { hashInputs, isBuilt } from '../../scripts/build/inputs.mjs';

const node = (...args) => execFileSync(process.execPath, args, { stdio: 'inherit' });
const engines = ['chromium', 'firefox', 'webkit'];
const requested = process.argv.slice(2).filter((name) => engines.includes(name));

try {
  const names = requested.length ? requested : engines;
  node('scripts/browser.mjs', ...names.map((name) => (name === 'chromium' ? 'chromedriver' : name)));
  if (!isBuilt('dist', hashInputs())) node('scripts/build.mjs');
} catch {
  // The failed program has already printed the reason.
  process.exit(1);
}

// main.ts runs during this import, because Vite can load further modules only until the import resolves.
await runnerImport('./e2e/browsers/main.ts', { configFile: false, logLevel: 'error' });
