// The texts of all files of a data folder, for tests that deleted data leaves it.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The name and the content of each file, in lower case, because an index stores lower case. */
export async function textsOfFolder(folder: string): Promise<{ name: string; text: string }[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async ({ parentPath, name }) => {
        // A file that the server has removed meanwhile contains nothing.
        const bytes = await readFile(join(parentPath, name)).catch((error: NodeJS.ErrnoException) => {
          if (error.code !== 'ENOENT') throw error;
          return Buffer.alloc(0);
        });
        return { name, text: bytes.toString('latin1').toLowerCase() };
      }),
  );
}
