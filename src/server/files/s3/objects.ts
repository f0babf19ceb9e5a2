// Reads whole objects for programs other than the server. They write nothing to the object store.
import pino from 'pino';
import type { StoredObject } from '../../storage/files/files.ts';
import type { ByteStream } from './byte-stream.ts';
import { createS3Client } from './client.ts';
import { readObject } from './read-object.ts';
import type { S3Options } from './requests.ts';
import { assertOwnedBy } from './start.ts';

export interface Objects {
  /** Streams all bytes. Rejects with MissingBytes when the object does not exist. */
  read(stored: StoredObject): Promise<ByteStream>;
  close(): void;
}

/**
 * `storeId`: the id of the server that owns the files. Throws StartError if the store has the files of another server,
 * or refuses access.
 */
export async function openS3Objects(options: S3Options, storeId: string): Promise<Objects> {
  const s3 = createS3Client(options, pino({ level: 'silent' }));
  try {
    await assertOwnedBy(s3, storeId);
  } catch (error) {
    s3.close();
    throw error;
  }
  return {
    read: ({ object, size }) => readObject(s3, object, 0, size - 1),
    close: () => s3.close(),
  };
}
