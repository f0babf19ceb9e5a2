// Streams a range of an object. When the connection to the store ends early, it goes on with another request from there, so
// that a visitor on a slow network receives a large file that the store would not wait for.
import { MissingBytes } from '../bytes/store.ts';
import { type ByteStream, streamOf } from './byte-stream.ts';
import type { S3Client } from './client.ts';
import { S3Error } from './error.ts';

/** Requests in a row without a byte. */
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
          // Fewer bytes than the content-length must not look like a regular end.
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
