// The data folders of released versions, which scripts/data-fixture.mjs has packed.
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const fixtures = join(import.meta.dirname, 'fixtures');

/** The versions, such as `0.1`. */
export const releasedVersions: readonly string[] = readdirSync(fixtures).flatMap(
  (name) => /^data-([\d.]+)\.tar\.gz$/.exec(name)?.[1] ?? [],
);

const archiveOf = (version: string) => join(fixtures, `data-${version}.tar.gz`);

/** Unpacks the data folder of a version into an existing folder. */
export function unpackDataFolder(version: string, folder: string): void {
  execFileSync('tar', ['-xzf', archiveOf(version), '-C', folder]);
}

/** The version of the schema in the data folder of a version. */
export function schemaVersionOf(version: string): number {
  const recorded = execFileSync('tar', ['-xzOf', archiveOf(version), './recorded.json']);
  return JSON.parse(recorded.toString()).version;
}
