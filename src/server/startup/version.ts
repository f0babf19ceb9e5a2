// The version of this server, from package.json.
import { readFileSync } from 'node:fs';

/** Reads the version: the nearest package.json above this source file, or above its build. */
export function readVersion(): string {
  for (let folder = new URL('.', import.meta.url); folder.pathname !== '/'; folder = new URL('..', folder)) {
    try {
      const { version } = JSON.parse(readFileSync(new URL('package.json', folder), 'utf8'));
      if (typeof version === 'string') return version;
    } catch {
      // The next folder.
    }
  }
  return 'unknown';
}
