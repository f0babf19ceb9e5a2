// `npm run generate`: writes the files and samples that are derived from sources, and prints their names. The tests that compare
// them with the sources (`toMatchFileSnapshot`, `toMatchInlineSnapshot`) write them here; otherwise they fail when these differ.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';

const git = (...args) => execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean);

/** The hash of each file of the repository, of new ones too. */
function hashes() {
  const files = git('ls-files', '--cached', '--others', '--exclude-standard').filter((file) =>
    existsSync(file),
  );
  return new Map(files.map((file) => [file, createHash('sha256').update(readFileSync(file)).digest('hex')]));
}

const tests = git(
  'grep',
  '--untracked',
  '-lE',
  'toMatch(File|Inline)Snapshot\\(',
  '--',
  '*.test.ts',
  '*.test.tsx',
);
const before = hashes();
const vitest = [
  'node_modules/vitest/vitest.mjs',
  'run',
  // Not last: it would take the first file as its value.
  '--update',
  '--project',
  'unit',
  '--reporter',
  'dot',
  ...tests,
];
const { status } = spawnSync(process.execPath, vitest, { stdio: 'inherit' });
const written = [...hashes()].filter(([file, hash]) => before.get(file) !== hash).map(([file]) => file);
console.log(written.length > 0 ? `Wrote ${written.join(', ')}.` : 'All generated files are up to date.');
process.exitCode = status ?? 1;
