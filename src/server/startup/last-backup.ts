// The record of the last backup in the data folder, from which the server tells the operator about it.
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface LastBackup {
  /** ISO 8601. */
  createdAt: string;
  /** The size of the copied database. */
  bytes: number;
}

const fileName = 'last-backup.json';

/** Stores the record. A folder that cannot be written keeps the previous one: the backup itself is complete. */
export async function storeLastBackup(folder: string, record: LastBackup): Promise<void> {
  const path = join(folder, fileName);
  try {
    await writeFile(`${path}.new`, `${JSON.stringify(record)}\n`, { mode: 0o600 });
    await rename(`${path}.new`, path);
  } catch {
    // Nothing depends on it.
  }
}

/** The last backup of the folder; undefined if none is known. */
export async function readLastBackup(folder: string): Promise<LastBackup | undefined> {
  try {
    const { createdAt, bytes } = JSON.parse(await readFile(join(folder, fileName), 'utf8')) as LastBackup;
    return Number.isNaN(Date.parse(createdAt)) || !Number.isFinite(bytes) ? undefined : { createdAt, bytes };
  } catch {
    return undefined;
  }
}
