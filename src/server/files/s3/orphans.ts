// Finds unreferenced objects and rows, which remain when a process is killed between two steps.
import type { Database } from '../../storage/database.ts';
import {
  claimOrphanSearch,
  findUpload,
  listUploads,
  releaseOrphanSearch,
  type UploadRow,
} from '../../storage/files/uploads.ts';
import type { FileStore, Writer } from '../bytes/store.ts';
import type { S3Client } from './client.ts';

const hourMs = 60 * 60 * 1_000;
/** Milliseconds between two searches by all processes together. */
const intervalMs = 7 * 24 * hourMs;
/** The minimum age of an unreferenced object. A superseded writer may still be sending a younger one. */
const minimumAgeMs = 48 * hourMs;
/** The number of rows that are read with one statement. */
const rowsAtOnce = 500;

export interface OrphanSearchOptions {
  db: Database;
  s3: S3Client;
  now(): number;
  hold(id: string, work: (writer: Writer) => Promise<void>): Promise<void>;
}

export function createOrphanSearch({ db, s3, now, hold }: OrphanSearchOptions): FileStore['removeOrphans'] {
  async function removeRows(
    isKnown: (id: string) => Promise<boolean>,
    isClosed: () => boolean,
  ): Promise<void> {
    for (let after = ''; ; ) {
      const rows = await db.read((tx) => listUploads(tx, after, rowsAtOnce));
      for (const { contentId, isWhole, garbage } of rows) {
        if (isClosed()) return;
        after = contentId;
        if (!(await isKnown(contentId))) await hold(contentId, (writer) => writer.remove());
        // A writer removes its garbage at its end. An incomplete upload may have a writer in another process.
        else if (isWhole && garbage.length > 0) await hold(contentId, async () => {});
      }
      if (rows.length < rowsAtOnce) return;
    }
  }

  async function removeObjects(isClosed: () => boolean): Promise<void> {
    for await (const objects of s3.list('file_')) {
      for (const { name, modifiedAt } of objects) {
        if (isClosed()) return;
        // An object without a time counts as young.
        if (!(modifiedAt < now() - minimumAgeMs)) continue;
        const [contentId = ''] = name.split('/');
        // The rows are read after the list of objects, because a row names each object before it is sent.
        const row = await db.read((tx) => findUpload(tx, contentId));
        if (!row || !namesOf(row).has(name)) await s3.remove(name);
      }
    }
  }

  return async (isKnown, isClosed) => {
    if (!(await db.write((tx) => claimOrphanSearch(tx, now(), intervalMs)))) return;
    let isDone = false;
    try {
      await removeRows(isKnown, isClosed);
      await removeObjects(isClosed);
      isDone = !isClosed();
    } finally {
      if (!isDone) await db.write(releaseOrphanSearch);
    }
  };
}

function namesOf({ object, pieces, garbage }: UploadRow): Set<string> {
  return new Set([
    ...(object === null ? [] : [object]),
    ...pieces.map(([name]) => name),
    ...garbage.map(([name]) => name),
  ]);
}
