// Finds a Chromium for the end-to-end tests: an installed one, else Playwright's download, else Debian's package.
// Run as a program it says in one line what it did.
import { execFileSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from '@playwright/test';

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome', 'msedge'];
const macApps = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** The path of an installed Chrome or Chromium (`CHROMIUM_PATH` first), or undefined. */
export function findBrowser() {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const candidates = [
    process.env.CHROMIUM_PATH,
    ...names.flatMap((name) => folders.map((folder) => join(folder, name))),
    ...macApps,
    chromium.executablePath(),
  ];
  return candidates.find((path) => path && isExecutable(path));
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function provide() {
  const found = findBrowser();
  if (found) return `found ${found}`;
  const quiet = { stdio: 'ignore' };
  const isRoot = process.getuid?.() === 0;
  try {
    execFileSync('npx', ['playwright', 'install', 'chromium'], { ...quiet, timeout: 300_000 });
    // The download brings no system libraries; on a bare machine it would not start without them.
    if (isRoot) execFileSync('npx', ['playwright', 'install-deps', 'chromium'], quiet);
    const downloaded = findBrowser();
    if (downloaded) return `downloaded ${downloaded} (Playwright)`;
  } catch {
    // No way to that server from here; the distribution's package comes next.
  }
  if (!existsSync('/etc/debian_version') || !isRoot) {
    throw new Error(
      'no Chrome or Chromium found and none could be installed: install one, or set CHROMIUM_PATH',
    );
  }
  execFileSync('apt-get', ['update'], quiet);
  execFileSync('apt-get', ['install', '-y', '--no-install-recommends', 'chromium', 'fonts-liberation'], {
    ...quiet,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  return `installed ${findBrowser()} (Debian package chromium)`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    console.log(`browser: ${provide()}`);
  } catch (error) {
    console.error(`browser: ${error instanceof Error ? error.message : error}`);
    process.exit(1);
  }
}
