// Stores the bytes of files in an object store. The state of uploads is in the database, so another process can continue
// them.
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Logger } from 'pino';
import type { Database } from '../../storage/database.ts';
import { fenceUpload, findUpload } from '../../storage/files/uploads.ts';
import { createHolders, type FileStore, MissingBytes, type Writer } from '../bytes/store.ts';
import { fileIdPattern } from '../bytes/tokens.ts';
import { createS3Client } from './client.ts';
import { readObject } from './objects.ts';
import { createOrphanSearch } from './orphans.ts';
import type { S3Options, Timing } from './requests.ts';
import { assertUsable } from './start.ts';
import { createS3Writer, defaultPartBytes } from './writer.ts';

export interface S3StoreOptions {
  db: Database;
  s3: S3Options;
  /** The folder for bytes that are not sent yet; created if it is missing. */
  folder: string;
  logger: Logger;
  now(): number;
  /** For tests. */
  partBytes?: number;
  timing?: Timing;
}

/** Milliseconds after which a file of a process that was killed is removed. */
const localLifetimeMs = 60 * 60 * 1_000;

/** Throws StartError when the object store cannot be used with these settings. */
export async function openS3Store(options: S3StoreOptions): Promise<FileStore> {
  const { db, folder, logger, now, partBytes = defaultPartBytes } = options;
  const s3 = createS3Client(options.s3, logger, options.timing);
  await assertUsable(s3, db);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await removeOldFiles();
  const holders = createHolders();
  const searchOrphans = createOrphanSearch({ db, s3, now, hold });

  function assertId(id: string): void {
    if (!fileIdPattern.test(id)) throw new Error('This is not the id of a file.');
  }

  async function hold<T>(id: string, work: (writer: Writer) => Promise<T>): Promise<T> {
    assertId(id);
    return holders.hold(id, async (signal) => {
      const fence = randomUUID();
      const found = await db.write((tx) => fenceUpload(tx, id, fence));
      const writer = createS3Writer({ db, s3, folder, contentId: id, fence, found, signal, partBytes });
      try {
        return await work(writer);
      } finally {
        await writer.close();
      }
    });
  }

  async function read(id: string, first: number, last: number): Promise<ReadableStream<Uint8Array>> {
    assertId(id);
    const row = await db.read((tx) => findUpload(tx, id));
    if (!row?.isWhole) throw new MissingBytes();
    return readObject(s3, row.object, first, last);
  }

  async function removeOldFiles(): Promise<void> {
    for (const name of await readdir(folder)) {
      const found = await stat(join(folder, name)).catch(() => undefined);
      if (found && found.mtimeMs < Date.now() - localLifetimeMs)
        await rm(join(folder, name), { force: true });
    }
  }

  return {
    hold,
    read,

    async withLocalFile(id, work) {
      const row = await db.read((tx) => findUpload(tx, id));
      if (!row?.isWhole) throw new MissingBytes();
      const path = join(folder, randomUUID());
      try {
        await pipeline(
          await read(id, 0, row.size - 1),
          createWriteStream(path, { flags: 'wx', mode: 0o600 }),
        );
        return await work(path);
      } finally {
        await rm(path, { force: true });
      }
    },

    async removeOrphans(isKnown, isClosed) {
      await removeOldFiles();
      await searchOrphans(isKnown, isClosed);
    },

    async close() {
      const closing = holders.close();
      // Received bytes are sent before the requests end.
      await Promise.race([closing, new Promise((resolve) => setTimeout(resolve, closeMs).unref())]);
      s3.close();
      await closing;
    },
  };
}

/** Time limit in milliseconds for sending the bytes of interrupted uploads to the store when the server stops. */
const closeMs = 5_000;
