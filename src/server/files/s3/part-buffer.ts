// The bytes of the next part of an upload: first the bytes of its pieces, which are loaded from the store when needed,
// then the received bytes.
import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { UploadRow } from '../../storage/files/uploads.ts';
import { streamOf } from './byte-stream.ts';
import type { S3Client } from './client.ts';
import { type Content, S3Error } from './requests.ts';
import { piecesSize } from './upload-row.ts';

export interface PartBuffer {
  /** The bytes of the pieces and the received ones. */
  readonly size: number;
  /** The bytes that are stored on this machine only. */
  readonly received: number;
  append(bytes: Uint8Array): Promise<void>;
  /** Returns the bytes from a position on, at which a piece or the received bytes begin. */
  content(from: number): Promise<Content>;
  /** Call it when the received bytes were stored as a piece. */
  keep(): void;
  /** Resets the buffer to the bytes of the pieces in the row. */
  reset(): void;
  close(): Promise<void>;
}

export function createPartBuffer(folder: string, s3: S3Client, row: UploadRow): PartBuffer {
  const file = createPartFile(folder);
  let stored = piecesSize(row);
  let received = 0;
  /** The file has the bytes from this position on. */
  let loadedFrom = stored;

  async function load(from: number): Promise<void> {
    let position = stored;
    for (const [name, size] of [...row.pieces].reverse()) {
      position -= size;
      if (position < from) return;
      if (position >= loadedFrom) continue;
      const object = await s3.get(name, 0, size - 1);
      let at = position;
      for await (const bytes of object ?? []) {
        await file.write(at, bytes);
        at += bytes.length;
      }
      if (at !== position + size) throw new S3Error('GetObject', 0, 'PieceTooShort');
      loadedFrom = position;
    }
  }

  return {
    get size() {
      return stored + received;
    },
    get received() {
      return received;
    },
    async append(bytes) {
      await file.write(stored + received, bytes);
      received += bytes.length;
    },
    async content(from) {
      await load(from);
      return file.content(from, stored + received);
    },
    keep() {
      stored += received;
      received = 0;
    },
    reset() {
      stored = piecesSize(row);
      received = 0;
      loadedFrom = stored;
    },
    close: file.close,
  };
}

/**
 * A file on this machine with the bytes of the part that is being received: a slow client uses no memory, and a request to the
 * store can be repeated. The file has no name, so a crash leaves nothing.
 */
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
