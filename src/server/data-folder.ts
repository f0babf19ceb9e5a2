// The data folder: made when missing, with the secrets that sign user keys and the administrator's token. Only its owner
// may read those.

import { randomBytes } from 'node:crypto';
import { chmod, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isRandomEnough } from './auth/entropy.ts';
import { StartError } from './start-error.ts';

/** Makes the folder if need be. Throws StartError when that is not possible. */
export async function openDataFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    const { code = 'error' } = error as NodeJS.ErrnoException;
    throw new StartError(`DATA_DIR: the folder ${folder} cannot be made (${code}).`);
  }
}

/** The secret that signs, and those before it, which are still accepted. */
export interface Secrets {
  current: string;
  previous: string[];
}

/**
 * The secrets kept in the folder: the first line of the file is the current one, further lines are previous ones. Made
 * (256 random bits) at the first call. Throws StartError for a file without a secret, or whose first one can be guessed.
 */
export async function keptSecrets(folder: string): Promise<Secrets> {
  const path = join(folder, 'user-key-secret');
  try {
    const secrets = readSecrets(await readFile(path, 'utf8'), path);
    await chmod(path, 0o600);
    return secrets;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const secret = randomBytes(32).toString('base64url');
  // Keys signed with a secret that a power cut takes away would be lost users.
  await writeSynced(path, `${secret}\n`);
  return { current: secret, previous: [] };
}

function readSecrets(text: string, path: string): Secrets {
  const [current = '', ...previous] = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if ([current, ...previous].some((secret) => secret.length < 16)) {
    throw new StartError(`The file ${path} holds no secret; delete it or repair it.`);
  }
  // Previous ones may be weak: to replace a weak secret is what they are kept for.
  if (!isRandomEnough(current)) {
    throw new StartError(
      `The file ${path}: the secret in its first line can be guessed; put what \`openssl rand -hex 32\` prints above it.`,
    );
  }
  return { current, previous };
}

/**
 * Writes the administrator's token to `admin-token` in the folder, for its owner alone, in place of an earlier file; gives the
 * path. Throws StartError when that is not possible.
 */
export async function keepAdminToken(folder: string, token: string): Promise<string> {
  const path = join(folder, 'admin-token');
  const fresh = `${path}.new`;
  try {
    // Written under another name first: nobody reads half a token, and a link that lies there is not followed.
    await rm(fresh, { force: true });
    await writeSynced(fresh, `${token}\n`);
    await rename(fresh, path);
    await syncFolder(folder);
  } catch (error) {
    const { code = 'error' } = error as NodeJS.ErrnoException;
    throw new StartError(
      `The administrator's token cannot be written to ${path} (${code}); start with ADMIN_TOKEN to set another.`,
    );
  }
  return path;
}

/** Makes a file that only its owner reads, on disk when this resolves. Rejects where there is one already. */
async function writeSynced(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
