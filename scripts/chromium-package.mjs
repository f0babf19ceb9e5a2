// A Chromium without windows from the npm registry, for Linux machines (x64) without a browser and without root: the package
// `@sparticuz/chromium` contains it with the libraries that a bare system lacks. 69 MB are downloaded, once, into `.cache`.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';

const version = '153.0.0';
/** The hash of the package in the registry, as a lock file has it. */
const integrity =
  'sha512-jiGWqSvPMdu4+P9TilYqAR7yEGPEHINx+lCvE/NqNO/EHYzF/x1hUiI5T6ioVIt7dEy7n88byyT0vk+dnsgQwA==';
const cache = join(import.meta.dirname, '../.cache');
const folder = join(cache, `chromium-${version}`);

/** A script that starts Chromium with the libraries of the package. */
const start = `#!/bin/sh
LD_LIBRARY_PATH='${join(folder, 'lib')}' exec '${join(folder, 'chromium')}' "$@"
`;

/** The path of the script, which may not exist yet. */
export const packagedChromium = join(folder, 'chromium-headless-shell');

/**
 * Downloads it, unless this is another system.
 * @returns whether the program exists now
 */
export function downloadPackagedChromium() {
  if (existsSync(packagedChromium)) return true;
  if (process.platform !== 'linux' || process.arch !== 'x64') return false;
  mkdirSync(cache, { recursive: true });
  // It is renamed at the end: a folder with the right name is complete.
  const unfinished = mkdtempSync(join(cache, 'chromium-'));
  try {
    const pack = ['pack', `@sparticuz/chromium@${version}`, '--json', '--pack-destination', unfinished];
    const options = { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], timeout: 300_000 };
    const [packed] = JSON.parse(execFileSync('npm', pack, options));
    if (packed.integrity !== integrity) throw new Error(`@sparticuz/chromium ${version} has another hash`);
    execFileSync('tar', ['-xzf', join(unfinished, packed.filename), '-C', unfinished]);
    const read = (name) => brotliDecompressSync(readFileSync(join(unfinished, 'package/bin', name)));
    writeFileSync(join(unfinished, 'chromium'), read('chromium.br'), { mode: 0o755 });
    execFileSync('tar', ['-xf', '-', '-C', unfinished], { input: read('al2023.tar.br') });
    writeFileSync(join(unfinished, 'chromium-headless-shell'), start, { mode: 0o755 });
    for (const rest of [packed.filename, 'package']) rmSync(join(unfinished, rest), { recursive: true });
    renameSync(unfinished, folder);
    return true;
  } catch (error) {
    console.error(`browser: no Chromium from the npm registry: ${error.message.trim()}`);
    return existsSync(packagedChromium);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}
