// `npm run commits`: checks the messages of the commits after the last release with commitlint, by the rules in package.json. A clone
// without this release in its history, such as a shallow one, has no commits to check.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const commitlint = fileURLToPath(import.meta.resolve('@commitlint/cli/cli.js'));
const release = ['--extended-regexp', '--grep=^chore\\(release\\): [0-9]+\\.[0-9]+\\.[0-9]+$'];
const { stdout } = spawnSync('git', ['log', '-1', '--format=%H', ...release], { encoding: 'utf8' });
const from = stdout.trim();
if (from) {
  const args = [commitlint, '--from', from, '--git-log-args=--no-merges'];
  process.exitCode = spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1;
} else console.log('No release in the history of this clone: no commits to check.');
