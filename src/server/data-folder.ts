// Creates the data folder, the secrets in it that sign user keys, and the file of the administrator's token. Only the
// owner of the process can read them.
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { access, chmod, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isRandomEnough } from './auth/entropy.ts';
import type { Settings } from './composition/settings.ts';
import { StartError } from './startup/start-error.ts';

/** Creates the folder if it is missing. Throws StartError when that fails, or when it cannot be written. */
export async function openDataFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    const { code = 'error' } = error as NodeJS.ErrnoException;
    throw new StartError(`DATA_DIR: the folder ${folder} cannot be created (${code}).`);
  }
  for (const path of [folder, join(folder, 'files')]) {
    await access(path, constants.W_OK).catch(({ code }: NodeJS.ErrnoException) => {
      if (code !== 'ENOENT') throw new StartError(`The data folder ${path} cannot be written (${code}).`);
    });
  }
}

/** The files that a server creates in its data folder after its database. */
const laterParts = ['files', 'webchat'];

/**
 * Throws StartError if the database of a folder that was used before is missing or empty: the server would begin as a new
 * one, and delete the files, because its database does not refer to them. A start that was killed before it wrote the
 * database is repeated.
 */
export async function assertDatabaseKept(folder: string, name: string): Promise<void> {
  const sizeOf = async (path: string) => (await stat(path).catch(() => undefined))?.size;
  const database = join(folder, name);
  const size = await sizeOf(database);
  if (size !== undefined && size > 0) return;
  for (const part of laterParts) {
    if ((await sizeOf(join(folder, part))) === undefined) continue;
    const what = size === undefined ? 'missing' : 'empty';
    throw new StartError(
      `DATA_DIR: the database ${database} is ${what}, but the folder has data of an earlier start: restore a backup, or move the folder away to begin with a new one.`,
    );
  }
}

/** The secret that signs, and previous ones, which are still accepted. */
export interface Secrets {
  current: string;
  previous: string[];
}

/**
 * The secrets in the folder: the first line of the file is the current one, further lines are previous ones. The first
 * call generates a secret of 256 random bits. Throws StartError for a missing secret or a weak current one.
 */
export async function loadOrCreateSecrets(folder: string): Promise<Secrets> {
  const path = join(folder, 'user-key-secret');
  try {
    const secrets = parseSecrets(await readFile(path, 'utf8'), path);
    await chmod(path, 0o600);
    return secrets;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const secret = randomBytes(32).toString('base64url');
  // Synced: after a power cut that loses the secret, the keys of all users would be invalid.
  await writeSynced(path, `${secret}\n`);
  return { current: secret, previous: [] };
}

function parseSecrets(text: string, path: string): Secrets {
  const [current = '', ...previous] = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if ([current, ...previous].some((secret) => secret.length < 16)) {
    throw new StartError(`The file ${path} contains no valid secret; delete it or repair it.`);
  }
  // Previous secrets may be weak: replacing a weak secret is a reason for a rotation.
  if (!isRandomEnough(current)) {
    throw new StartError(
      `The file ${path}: the secret in its first line is too weak; insert the output of \`openssl rand -hex 32\` above it.`,
    );
  }
  return { current, previous };
}

/** The files of a first start without a terminal: each content, and how to start without the file. */
const firstFiles = {
  'admin-token': ["The administrator's token", 'to set another'],
  'setup-link': ["The link for the owner's account", 'to do without it'],
} as const;

/**
 * Writes a secret of the first start to its file in the folder, readable by its owner only, and returns the path. Replaces an
 * existing file. Throws StartError when that fails.
 */
export async function writeSecret(
  folder: string,
  name: keyof typeof firstFiles,
  secret: string,
): Promise<string> {
  const path = join(folder, name);
  const temporary = `${path}.new`;
  try {
    // Written to a temporary file first: readers never see half a secret, and a symbolic link is not followed.
    await rm(temporary, { force: true });
    await writeSynced(temporary, `${secret}\n`);
    await rename(temporary, path);
    await syncFolder(folder);
  } catch (error) {
    const { code = 'error' } = error as NodeJS.ErrnoException;
    const [content, purpose] = firstFiles[name];
    throw new StartError(
      `${content} cannot be written to ${path} (${code}); start with ADMIN_TOKEN ${purpose}.`,
    );
  }
  return path;
}

/** Creates a file that only its owner can read, synced to disk. Rejects when the file exists. */
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

type SecretSettings = Pick<
  Settings,
  'DATA_DIR' | 'USER_KEY_SECRET' | 'USER_KEY_SECRET_PREVIOUS' | 'USER_KEY_SECRETS'
>;

/** Whether the settings contain the secret, so that applications can sign keys with it. */
export const hasSecret = (settings: SecretSettings): boolean =>
  (settings.USER_KEY_SECRET ?? settings.USER_KEY_SECRETS) !== undefined;

/**
 * Returns the secret that signs, and those that are still accepted. USER_KEY_SECRET_PREVIOUS is added to
 * USER_KEY_SECRET, or to the secrets in the data folder, of which the first start creates one.
 * @throws StartError if the list and one of the single settings are set, or the data folder has no valid secret.
 */
export async function readSecrets({ DATA_DIR, ...settings }: SecretSettings): Promise<Secrets> {
  const { USER_KEY_SECRETS: list, USER_KEY_SECRET: secret, USER_KEY_SECRET_PREVIOUS: before } = settings;
  if (list) {
    // Which of them signs would be a guess.
    if (secret !== undefined || before !== undefined) {
      throw new StartError(
        'USER_KEY_SECRETS replaces USER_KEY_SECRET and USER_KEY_SECRET_PREVIOUS: add their values to the list, and remove them.',
      );
    }
    const [current = '', ...previous] = list;
    return { current, previous };
  }
  const secrets =
    secret === undefined ? await loadOrCreateSecrets(DATA_DIR) : { current: secret, previous: [] };
  return before === undefined ? secrets : { ...secrets, previous: [before, ...secrets.previous] };
}
