// Installs Debian's packages for the tests, one installation at a time: several tests can need one at the same moment, and
// apt-get fails when another process holds its lock.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const lock = join(tmpdir(), 'platform-webchat-apt.lock');

/** Programs outside this repository, such as unattended upgrades, hold the lock of dpkg for so long at most. */
const lockTimeoutSeconds = 300;

/**
 * Runs apt-get; other calls of this function, also of other processes, wait.
 * @throws Error with the end of its output when it fails
 */
function aptGet(...args) {
  const options = {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  };
  try {
    execFileSync('flock', [lock, 'apt-get', ...args], options);
  } catch (cause) {
    const output = `${cause.stderr ?? ''}`.trim().slice(-1_000);
    throw new Error(`apt-get ${args.join(' ')} failed: ${output || cause.message}`, { cause });
  }
}

/**
 * Installs packages without what they only recommend.
 * @throws Error when this is not Debian, or not root, or apt-get fails
 */
export function installDebianPackages(packages) {
  if (!existsSync('/etc/debian_version') || process.getuid?.() !== 0) {
    throw new Error('this is not Debian, or not root');
  }
  aptGet('update');
  aptGet(
    'install',
    '-y',
    '--no-install-recommends',
    '-o',
    `DPkg::Lock::Timeout=${lockTimeoutSeconds}`,
    ...packages,
  );
}
