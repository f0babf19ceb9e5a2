// Finds the programs of the tests (browsers, PHP for the recipe of WordPress, PostgreSQL, Redis, proxies): installed ones, otherwise for
// Chromium a package of the npm registry or Playwright's download, otherwise Debian's packages. As a program it does so for the named
// entries of `engines` (`headless` by default) and prints one line for each.
import { execFileSync } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from '@playwright/test';
import { downloadPackagedChromium, packagedChromium } from './chromium-package.mjs';
import { installDebianPackages } from './debian-packages.mjs';

const chromiumProgram = {
  variable: 'CHROMIUM_PATH',
  names: ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome', 'msedge'],
  paths: () => [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    chromium.executablePath(),
  ],
};

/** The programs: their names in the PATH, the variable that contains a path, other usual folders. */
const programs = {
  chromium: chromiumProgram,
  // Chromium without windows if it is available, which halves the duration of the Playwright tests (17 tests of
  // placement: 8 s instead of 18 s).
  headless: {
    ...chromiumProgram,
    names: ['chromium-headless-shell', 'chrome-headless-shell', ...chromiumProgram.names],
    paths: () => [...chromiumProgram.paths(), packagedChromium],
  },
  // The one that Debian updates: chromium-package.mjs has an older version.
  'headless-shell': { variable: 'CHROMIUM_PATH', names: ['chromium-headless-shell'], paths: () => [] },
  firefox: {
    variable: 'FIREFOX_PATH',
    names: ['firefox-esr', 'firefox'],
    paths: () => ['/Applications/Firefox.app/Contents/MacOS/firefox'],
  },
  // The WebDriver server of Chromium, of the same version.
  chromedriver: { variable: 'CHROMEDRIVER_PATH', names: ['chromedriver'], paths: () => [] },
  // The WebDriver server of WebKitGTK; it finds its browser by itself.
  webkit: { variable: 'WEBKIT_DRIVER_PATH', names: ['WebKitWebDriver'], paths: () => [] },
  // The display of WebKitGTK, which has no headless mode.
  xvfb: { variable: 'XVFB_PATH', names: ['Xvfb'], paths: () => [] },
  php: { variable: 'PHP_PATH', names: ['php'], paths: () => [] },
  postgres: { variable: 'POSTGRES_PATH', names: ['postgres'], paths: debianPostgres },
  redis: { variable: 'REDIS_PATH', names: ['redis-server', 'valkey-server'], paths: () => [] },
  // Debian keeps them in a folder that is in the PATH of administrators only.
  haproxy: { variable: 'HAPROXY_PATH', names: ['haproxy'], paths: () => ['/usr/sbin/haproxy'] },
  pgbouncer: { variable: 'PGBOUNCER_PATH', names: ['pgbouncer'], paths: () => ['/usr/sbin/pgbouncer'] },
  nginx: { variable: 'NGINX_PATH', names: ['nginx'], paths: () => ['/usr/sbin/nginx'] },
  // Checks the rules of alerts.
  promtool: { variable: 'PROMTOOL_PATH', names: ['promtool'], paths: () => [] },
  unzip: { variable: 'UNZIP_PATH', names: ['unzip'], paths: () => [] },
  systemd: { variable: 'SYSTEMD_ANALYZE_PATH', names: ['systemd-analyze'], paths: () => [] },
  'faketime-library': {
    variable: 'FAKETIME_LIBRARY',
    names: [],
    paths: () => ['x86_64', 'aarch64'].map((one) => `/usr/lib/${one}-linux-gnu/faketime/libfaketimeMT.so.1`),
    isLibrary: true,
  },
};

/** The engines that can be installed: the programs that each needs, and the Debian packages that contain them. */
const engines = {
  headless: {
    needs: ['headless'],
    packages: ['chromium-headless-shell', 'fonts-liberation'],
    downloads: {
      'npm registry': downloadPackagedChromium,
      Playwright: downloadChromium,
    },
  },
  'headless-shell': {
    needs: ['headless-shell'],
    packages: ['chromium-headless-shell', 'fonts-liberation'],
    otherwise: 'headless',
  },
  chromium: {
    needs: ['chromium'],
    packages: ['chromium', 'fonts-liberation'],
    downloads: { Playwright: downloadChromium },
  },
  // For `test:browsers`, which uses WebDriver; the Playwright tests need no driver.
  chromedriver: {
    needs: ['chromium', 'chromedriver'],
    packages: ['chromium', 'chromium-driver', 'fonts-liberation'],
  },
  firefox: { needs: ['firefox'], packages: ['firefox-esr', 'fonts-liberation'] },
  webkit: { needs: ['webkit', 'xvfb'], packages: ['webkit2gtk-driver', 'xvfb', 'fonts-liberation'] },
  php: { needs: ['php'], packages: ['php-cli'] },
  postgres: { needs: ['postgres'], packages: ['postgresql'] },
  pgbouncer: { needs: ['pgbouncer'], packages: ['pgbouncer'] },
  redis: { needs: ['redis'], packages: ['redis-server'] },
  haproxy: { needs: ['haproxy'], packages: ['haproxy'] },
  nginx: { needs: ['nginx'], packages: ['nginx-light'] },
  promtool: { needs: ['promtool'], packages: ['prometheus'] },
  unzip: { needs: ['unzip'], packages: ['unzip'] },
  systemd: { needs: ['systemd'], packages: ['systemd'] },
  faketime: { needs: ['faketime-library'], packages: ['libfaketime'] },
};

/** Returns the path of an installed program, from its variable first, or undefined. */
export function findProgram(name = 'chromium') {
  const { variable, names, paths, isLibrary = false } = programs[name];
  const folders = (process.env.PATH ?? '').split(delimiter);
  const candidates = [
    process.env[variable],
    ...names.flatMap((one) => folders.map((folder) => join(folder, one))),
    ...paths(),
  ];
  return candidates.find((path) => path && (isLibrary ? existsSync(path) : isExecutable(path)));
}

/**
 * Returns the path of an installed program.
 * @throws when it is missing: Playwright would start a browser of its own, which nobody has installed.
 */
export function requireProgram(name) {
  const path = findProgram(name);
  if (!path) throw new Error(`${name} was not found: run \`node scripts/browser.mjs ${name}\``);
  return path;
}

/**
 * Installs what an engine needs, unless it is present. Returns a line that describes the result.
 * @throws when it is missing and cannot be installed here.
 */
export function provide(engine) {
  const { needs, packages, downloads = {}, otherwise } = engines[engine];
  const found = () => {
    const paths = needs.map((name) => findProgram(name));
    return paths.every(Boolean) && paths.join(', ');
  };
  if (found()) return `found ${found()}`;
  for (const [source, download] of Object.entries(downloads)) {
    if (download() && found()) return `downloaded ${found()} (${source})`;
  }
  try {
    installDebianPackages(packages);
    if (!found()) throw new Error(`the packages ${packages.join(' ')} do not contain it`);
  } catch (cause) {
    if (otherwise) return provide(otherwise);
    const variables = needs.map((name) => programs[name].variable).join(' and ');
    throw new Error(
      `not found and could not be installed: install it, or set ${variables} (${cause.message.trim()})`,
      { cause },
    );
  }
  return `installed ${found()} (Debian packages ${packages.join(' ')})`;
}

const quiet = { stdio: 'ignore' };
const isRoot = () => process.getuid?.() === 0;

/** Debian's packages are not in the PATH; the newest version comes first. */
function debianPostgres() {
  const folder = '/usr/lib/postgresql';
  if (!existsSync(folder)) return [];
  const versions = readdirSync(folder).sort((one, other) => Number(other) - Number(one));
  return versions.map((version) => join(folder, version, 'bin', 'postgres'));
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Returns false if Playwright's server cannot be reached; then the package of the distribution is tried. */
function downloadChromium() {
  try {
    execFileSync('npx', ['playwright', 'install', 'chromium'], { ...quiet, timeout: 300_000 });
    // The download does not contain the system libraries that Chromium needs to start.
    if (isRoot()) execFileSync('npx', ['playwright', 'install-deps', 'chromium'], quiet);
    return true;
  } catch {
    return false;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const names = process.argv.slice(2);
  for (const name of names.length ? names : ['headless']) {
    try {
      if (!(name in engines)) throw new Error(`unknown; available: ${Object.keys(engines).join(', ')}`);
      console.log(`browser: ${provide(name)}`);
    } catch (error) {
      console.error(`browser: ${name}: ${error instanceof Error ? error.message : error}`);
      process.exitCode = 1;
    }
  }
}
