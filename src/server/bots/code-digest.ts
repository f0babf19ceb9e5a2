// A digest of the code of bots, by which processes notice that they run different versions of it.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';

/** Files beyond this number are left out. */
const maxFiles = 1_000;
const codeFile = /\.(?:[cm]?[jt]s|json)$/;
/** Relative imports of a module, and files that it reads by `new URL('./file', import.meta.url)`. */
const imports = /(?:\bfrom|\bimport|\bimport\s*\(|\brequire\s*\(|\bURL\s*\()\s*['"](\.{1,2}\/[^'"\n]+)['"]/g;

/**
 * Returns a digest of the module at `module` with the files that it imports from its own folder and those around, and of all
 * code in `folder`. Packages are left out. Names are relative, so that it is the same wherever the files are. What cannot be
 * read counts as missing.
 */
export async function digestBotCode(module: string, folder?: string): Promise<string> {
  const hash = createHash('sha256');
  const entry = resolve(module);
  await addFiles(hash, dirname(entry), await modulesOf(entry));
  if (folder !== undefined) await addFiles(hash, resolve(folder), await filesIn(resolve(folder)));
  return hash.digest('base64url');
}

const read = (file: string): Promise<Buffer | undefined> => readFile(file).catch(() => undefined);

async function addFiles(hash: ReturnType<typeof createHash>, base: string, files: string[]): Promise<void> {
  for (const file of files.sort().slice(0, maxFiles)) {
    const bytes = await read(file);
    if (bytes === undefined) continue;
    const name = relative(base, file);
    // With their lengths, so that no other names and texts give the same bytes.
    hash.update(`${name.length} ${name} ${bytes.length}\n`).update(bytes);
  }
  hash.update('end\n');
}

/** A module and what it imports by relative names, directly or not. */
async function modulesOf(entry: string): Promise<string[]> {
  const found = new Set([entry]);
  for (const file of found) {
    const text = (await read(file))?.toString() ?? '';
    if (!codeFile.test(file)) continue;
    for (const [, path = ''] of text.matchAll(imports)) {
      if (found.size < maxFiles) found.add(resolve(dirname(file), path.replace(/[?#].*$/, '')));
    }
  }
  return [...found];
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile() && codeFile.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !file.includes('/node_modules/'));
}
