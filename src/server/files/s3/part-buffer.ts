// The bytes of the next part of an upload: first the bytes of its pieces, which are loaded from the store when needed,
// then the received bytes.
import type { UploadRow } from '../../storage/files/uploads.ts';
import type { S3Client } from './client.ts';
import { S3Error } from './error.ts';
import { createPartFile } from './part-file.ts';
import type { Content } from './requests.ts';
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
