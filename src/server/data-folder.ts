// The data folder: made when missing, with the secret that signs user keys. Nobody but its owner may read that.

import { randomBytes } from 'node:crypto';
import { chmod, mkdir, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
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

/** The secret kept in the folder; made (256 random bits) at the first call. */
export async function keptSecret(folder: string): Promise<string> {
  const path = join(folder, 'user-key-secret');
  try {
    const secret = (await readFile(path, 'utf8')).trim();
    if (secret.length < 16) throw new StartError(`The file ${path} holds no secret; delete it or repair it.`);
    await chmod(path, 0o600);
    return secret;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const secret = randomBytes(32).toString('base64url');
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(`${secret}\n`);
    // Keys signed with a secret that a power cut takes away would be lost users.
    await file.sync();
  } finally {
    await file.close();
  }
  return secret;
}
