// A file on this machine with the bytes of the part that is being received: a slow client uses no memory, and a request to
// the store can be repeated. The file has no name, so a crash leaves nothing.
import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { streamOf } from './byte-stream.ts';
import type { Content } from './requests.ts';

export interface PartFile {
  write(position: number, bytes: Uint8Array): Promise<void>;
  /** Returns the bytes from `from` up to `to`, exclusive, which must not change before they are sent. */
  content(from: number, to: number): Promise<Content>;
  close(): Promise<void>;
}

const readBytes = 65_536;

/** Creates the file in a folder when the first byte is written. */
export function createPartFile(folder: string): PartFile {
  const path = join(folder, randomUUID());
  let opened: Promise<FileHandle> | undefined;

  async function openUnnamed(): Promise<FileHandle> {
    const file = await open(path, 'wx+', 0o600);
    // Windows cannot remove an open file; `close` removes it there.
    await rm(path).catch(() => {});
    return file;
  }

  async function* read(from: number, to: number): AsyncGenerator<Uint8Array> {
    opened ??= openUnnamed();
    const file = await opened;
    for (let position = from; position < to; ) {
      const length = Math.min(readBytes, to - position);
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafeSlow(length), 0, length, position);
      if (bytesRead === 0) throw new Error('The file of a part is too short.');
      position += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  }

  return {
    async write(position, bytes) {
      opened ??= openUnnamed();
      const file = await opened;
      for (let written = 0; written < bytes.length; ) {
        const { bytesWritten } = await file.write(bytes, written, bytes.length - written, position + written);
        written += bytesWritten;
      }
    },
    async content(from, to) {
      const hash = createHash('sha256');
      for await (const piece of read(from, to)) hash.update(piece);
      return {
        size: to - from,
        sha256: hash.digest('hex'),
        open() {
          const pieces = read(from, to);
          return streamOf(
            async () => (await pieces.next()).value || undefined,
            () => pieces.return(undefined),
          );
        },
      };
    },
    async close() {
      if (!opened) return;
      await (await opened).close();
      await rm(path, { force: true });
    },
  };
}
