// Reads whole objects for a program beside the server, which writes nothing to the object store.
import pino from 'pino';
import type { StoredObject } from '../../storage/files/contents.ts';
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

/** `storeId`: the id of the server whose files these are. Throws StartError when the store has other files, or refuses. */
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
