// Streams a range of an object. If the connection to the store ends early, another request continues at that position.
// A visitor on a slow network thereby receives a large file even if the store closes slow connections.
import { MissingBytes } from '../bytes/store.ts';
import { type ByteStream, streamOf } from './byte-stream.ts';
import type { S3Client } from './client.ts';
import { S3Error } from './error.ts';

/** The maximum number of consecutive requests without a byte. */
const maxFailures = 3;

/** `object`: null for an empty file. Rejects with MissingBytes when there is no such object. */
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
