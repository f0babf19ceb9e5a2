// Builds a release, or another commit, in a worktree of its own, whose server then draws the pictures "before".
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';

const git = (...args: string[]): string =>
  execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();

/** The newest tag, or in a clone without tags the newest commit of a release. */
function lastRelease(): string {
  try {
    return git('describe', '--tags', '--abbrev=0');
  } catch {
    const commit = git('log', '-1', '--format=%h', '--grep=^chore(release)');
    if (!commit) throw new Error('There is no release: name a commit with --ref.');
    return commit;
  }
}

export const releaseFolder = (name: string): string => name.replace(/[^\w.-]+/g, '-');

/** Returns the folder of the built commit. The worktree stays for the next call. */
export async function buildRelease(ref = lastRelease()): Promise<{ name: string; folder: string }> {
  const commit = git('rev-parse', '--short', `${ref}^{commit}`);
  const name = ref === 'HEAD' ? commit : ref;
  const folder = resolve('.cache/screens-worktrees', commit);
  if (!existsSync(folder)) {
    mkdirSync(resolve('.cache/screens-worktrees'), { recursive: true });
    git('worktree', 'prune');
    git('worktree', 'add', '--detach', folder, commit);
    // The packages of this checkout: those of a release differ little, and take minutes to install.
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  }
  if (!existsSync(join(folder, 'dist/node/src/server/main.js')))
    execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: folder, stdio: 'inherit' });
  return { name, folder };
}
