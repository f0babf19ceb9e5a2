// Reads ranges of objects, and whole objects for programs other than the server.
import pino from 'pino';
import type { StoredObject } from '../../storage/files/files.ts';
import { MissingBytes } from '../bytes/store.ts';
import { type ByteStream, streamOf } from './byte-stream.ts';
import { createS3Client, type S3Client } from './client.ts';
import { S3Error, type S3Options } from './requests.ts';
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

/** The maximum number of consecutive requests without a byte. */
const maxFailures = 3;

/**
 * Streams a range of an object. If the connection to the store ends early, another request continues at that position, so that
 * a visitor on a slow network receives a large file even if the store closes slow connections. `object`: null for an empty
 * file. Rejects with MissingBytes when there is no such object.
 */
export async function readObject(
  s3: S3Client,
  object: string | null,
  first: number,
  last: number,
): Promise<ByteStream> {
  async function open(position: number) {
    const stream = object === null ? undefined : await s3.get(object, position, last);
    if (!stream) throw new MissingBytes();
    return stream.getReader();
  }

  let position = first;
  if (position > last)
    return streamOf(
      async () => undefined,
      () => {},
    );
  let reader = await open(first);
  let failures = 0;
  return streamOf(
    async () => {
      while (position <= last) {
        try {
          const { value } = await reader.read();
          // A response with fewer bytes than its content-length must not look complete.
          if (!value) throw new S3Error('GetObject', 0, 'EndedEarly');
          failures = 0;
          position += value.length;
          return value;
        } catch (error) {
          failures += 1;
          if (failures >= maxFailures) throw error;
          await reader.cancel().catch(() => {});
          reader = await open(position);
        }
      }
      await reader.cancel();
      return undefined;
    },
    (reason) => reader.cancel(reason),
  );
}
