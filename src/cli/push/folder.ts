// Lists the files of a folder with their keys. Links that lead out of the folder are not followed.
import { readdir, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';

export interface LocalFile {
  /** The prefix and the path in the folder, with `/`. */
  key: string;
  path: string;
  size: number;
}

export interface Folder {
  /** Sorted by key. */
  files: LocalFile[];
  /** Entries that cannot be read or are not files, with the reason. */
  skipped: { path: string; reason: string }[];
  /** True when a part could not be read. Files missing from the list may then still exist. */
  isPartial: boolean;
}

/** True for a path with a name that begins with a dot. */
export const isHidden = (path: string): boolean => path.split('/').some((part) => part.startsWith('.'));

/**
 * All files below a folder. A link to a file is included when that file is in the folder, too; links to folders are not
 * followed. Rejects with the error of the file system when the folder itself cannot be read.
 */
export async function readFolder(root: string, { prefix = '', all = false } = {}): Promise<Folder> {
  const found: Folder = { files: [], skipped: [], isPartial: false };
  const realRoot = await realpath(root);
  await walk(realRoot, '');
  found.files.sort((a, b) => (a.key < b.key ? -1 : 1));
  return found;

  async function walk(folder: string, relativePath: string): Promise<void> {
    const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
      if (relativePath === '') throw error;
      found.skipped.push({ path: relativePath, reason: `cannot be read (${error.code})` });
      found.isPartial = true;
      return [];
    });
    for (const entry of entries) {
      const name = relativePath + entry.name;
      if (!all && entry.name.startsWith('.')) continue;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) await walk(path, `${name}/`);
      else if (entry.isFile() || entry.isSymbolicLink()) await addFile(path, name, entry.isSymbolicLink());
      else found.skipped.push({ path: name, reason: 'not a file' });
    }
  }

  async function addFile(path: string, name: string, isLink: boolean): Promise<void> {
    try {
      if (isLink && !(await realpath(path)).startsWith(realRoot + sep)) {
        found.skipped.push({ path: name, reason: 'link out of the folder' });
        return;
      }
      const target = await stat(path);
      if (target.isFile()) found.files.push({ key: prefix + name, path, size: target.size });
      else found.skipped.push({ path: name, reason: 'link to something that is not a file' });
    } catch (error) {
      found.skipped.push({ path: name, reason: `cannot be read (${(error as NodeJS.ErrnoException).code})` });
      found.isPartial = true;
    }
  }
}
