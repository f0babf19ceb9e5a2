// Finds OpenStack Swift, the S3 server of the tests, and installs Debian's package if it is missing. When it is run as a
// program, it prints one line.
import { execFileSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { installDebianPackages } from '../debian-packages.mjs';

/** Debian's Python, which finds Debian's packages. */
const python = process.env.SWIFT_PYTHON ?? '/usr/bin/python3';
const quiet = { stdio: 'ignore' };

function isInstalled() {
  try {
    execFileSync(python, ['-c', 'import swift.common.middleware.s3api'], quiet);
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns the path of a Python that has Swift.
 * @throws when it is missing and cannot be installed here.
 */
export function provideSwift() {
  if (isInstalled()) return python;
  try {
    installDebianPackages(['python3-swift']);
    if (!isInstalled()) throw new Error('the package python3-swift does not contain it');
  } catch (cause) {
    throw new Error(
      `OpenStack Swift was not found and could not be installed: install python3-swift, or set SWIFT_PYTHON to a Python that has it (${cause.message.trim()})`,
      { cause },
    );
  }
  return python;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) console.log(`swift: ${provideSwift()}`);
