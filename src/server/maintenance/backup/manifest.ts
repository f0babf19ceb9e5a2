// The file that makes a folder a complete backup. It is written last.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { StartError } from '../../startup/start-error.ts';

export const manifestName = 'backup.json';
export const databaseName = 'platform.db';

/** The form of the folder; a later form is refused. */
export const format = 1;

const schema = v.object({
  format: v.number(),
  /** The version of the server that made the backup, and the number of its schema. */
  version: v.string(),
  schema: v.number(),
  createdAt: v.string(),
  database: v.object({ bytes: v.number(), sha256: v.string() }),
  /** The complete files, and files whose bytes were already missing. */
  files: v.number(),
  missing: v.number(),
  /** The number of files in an object store that are not in the backup. */
  inStore: v.optional(v.number(), 0),
  /** Whether `files` includes the files of the object store. */
  hasObjects: v.optional(v.boolean(), false),
});

export type Manifest = v.InferOutput<typeof schema>;

/** Reads the manifest of a backup. Throws StartError if the backup is not complete. */
export async function readManifest(folder: string): Promise<Manifest> {
  let text: string;
  try {
    text = await readFile(join(folder, manifestName), 'utf8');
  } catch {
    throw new StartError(
      `The folder ${folder} has no complete backup: ${manifestName} is missing, which is written at the end.`,
    );
  }
  try {
    return v.parse(schema, JSON.parse(text));
  } catch {
    throw new StartError(`The file ${join(folder, manifestName)} is damaged.`);
  }
}

/** The SHA-256 of a file in hex. */
export async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(path)) hash.update(piece as Buffer);
  return hash.digest('hex');
}
