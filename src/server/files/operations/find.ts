// Finds the file that the caller names by id or key, and checks the permission. Throws 404 for files that the caller
// cannot see.
import { ApiError } from '../../api/errors.ts';
import type { Tx, WriteTx } from '../../storage/database.ts';
import { type FileRow, fileOfKey, findFile, holdFile } from '../../storage/files/files.ts';
import { type FileAction, type FilePrincipal, mayUse, spaceOf } from '../access.ts';

/** Returns the file with this id or key. An integration's own keys take precedence over those of the bot. */
export async function existingFile(
  tx: Tx,
  principal: FilePrincipal,
  idOrKey: string,
  action: FileAction = 'read',
): Promise<FileRow> {
  for (const find of [
    () => findFile(tx, idOrKey),
    () => fileOfKey(tx, principal.botId, spaceOf(principal), idOrKey),
    () => fileOfKey(tx, principal.botId, spaceOf({ ...principal, kind: 'bot' }), idOrKey),
  ]) {
    const file = await find();
    if (!file || !mayUse(principal, file, 'read')) continue;
    if (!mayUse(principal, file, action))
      throw new ApiError('Forbidden', 'The file belongs to another user.');
    return file;
  }
  throw missing();
}

/** Keeps a file until the commit: files that expire are deleted without the lock of their bot. Throws 404 if it is deleted. */
export async function holdExisting(tx: WriteTx, { id }: FileRow): Promise<void> {
  if (!(await holdFile(tx, id))) throw missing();
}

/**
 * Returns the file with this key, which stays until the commit; undefined if there is none, or one that expires in the
 * meantime. A new file can have the key then.
 */
export async function heldFileOfKey(
  tx: WriteTx,
  botId: string,
  space: string,
  key: string,
): Promise<FileRow | undefined> {
  const found = await fileOfKey(tx, botId, space, key);
  return found && (await holdFile(tx, found.id)) ? found : undefined;
}

const missing = () => new ApiError('ResourceNotFound', 'The file does not exist.');
