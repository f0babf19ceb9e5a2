// Writes one file to an object store, in parts of 8 MiB. The row lists all acknowledged bytes: complete parts, and
// pieces, which are objects with the bytes after the parts. Stored bytes are never overwritten: each number of a part
// and each name of an object is used once, and is stored in the row before the bytes are sent.
import { randomUUID } from 'node:crypto';
import { publish } from '../../startup/events.ts';
import type { Database } from '../../storage/database.ts';
import { confirmUpload, deleteUpload, saveUpload, type UploadRow } from '../../storage/files/uploads.ts';
import { TooManyBytes, uploadSuperseded, type Writer } from '../bytes/store.ts';
import type { S3Client } from './client.ts';
import { createPartBuffer } from './part-buffer.ts';
import { S3Error } from './requests.ts';
import {
  addPart,
  becomeWhole,
  beginOfPiece,
  discardBytes,
  markOf,
  newUpload,
  partsSize,
  piecesSize,
  replacePieces,
} from './upload-row.ts';

/** Bytes of each part except the last one: some stores want all of them equal, and 5 MiB at least. */
export const defaultPartBytes = 8 * 1_048_576;

export interface S3WriterOptions {
  db: Database;
  s3: S3Client;
  /** The folder for the bytes of the part that is being received. */
  folder: string;
  contentId: string;
  /** The fence token of this writer. */
  fence: string;
  /** The row with this token; undefined when the file has none. */
  found: UploadRow | undefined;
  signal: AbortSignal;
  partBytes: number;
}

export interface S3Writer extends Writer {
  /** Stores the received bytes and removes garbage. Never throws: unacknowledged bytes may be lost. */
  close(): Promise<void>;
}

export function createS3Writer(options: S3WriterOptions): S3Writer {
  const { db, s3, found, signal, partBytes } = options;
  const row = found ?? newUpload(options.contentId, options.fence);
  const buffer = createPartBuffer(options.folder, s3, row);
  let isStored = found !== undefined;
  /** This writer may not write any more: another writer has superseded it, or the file was removed. */
  let isOver = false;
  let hasFailed = false;

  const nameOf = (kind: 'piece' | 'whole') => `${row.contentId}/${kind}-${randomUUID()}`;
  const sizeNow = () => (row.isWhole ? row.size : partsSize(row) + buffer.size);

  /** Stores the row. Throws uploadSuperseded if another writer has the upload. */
  async function save(): Promise<void> {
    if (!row.isWhole) row.size = partsSize(row) + piecesSize(row);
    const isSaved =
      !isOver &&
      (await db
        .write((tx) => saveUpload(tx, row))
        .catch((error: unknown) => {
          // The stored row still names what this writer takes for garbage.
          hasFailed = true;
          throw error;
        }));
    if (!isSaved) throw superseded();
    isStored = true;
  }

  function superseded(): Error {
    isOver = true;
    publish('fenced', { kind: 'upload' });
    return uploadSuperseded;
  }

  /** Sends the bytes from `from` on as a new object. `keep` stores its name in the row. */
  async function send(kind: 'piece' | 'whole', from: number, keep: (name: string, size: number) => void) {
    const name = nameOf(kind);
    const content = await buffer.content(from);
    row.garbage.push([name]);
    await save();
    await s3.put(name, content);
    // The bytes were sent with their digest, but a store may ignore the digest.
    if (kind === 'whole') await assertSize(name, content.size);
    row.garbage = row.garbage.filter(([other]) => other !== name);
    keep(name, content.size);
    await save().catch(async (error: unknown) => {
      // The row of the other writer does not name this object.
      if (isOver) await s3.remove(name).catch(() => {});
      throw error;
    });
  }

  async function assertSize(name: string, size: number): Promise<void> {
    if ((await s3.sizeOf(name)) !== size) throw new S3Error('HeadObject', 0, 'WrongSize');
  }

  async function sendPart(): Promise<void> {
    if (row.object === null || row.uploadId === null) {
      row.object = nameOf('whole');
      row.uploadId = await s3.beginUpload(row.object);
    }
    const number = row.nextPart;
    row.nextPart += 1;
    await save();
    const content = await buffer.content(0);
    const etag = await s3.putPart(row.object, row.uploadId, number, content);
    if (etag === undefined) return forget();
    addPart(row, number, etag, content.size);
    buffer.reset();
    await save();
  }

  /** Stores the received bytes as a piece. */
  async function sendPiece(): Promise<void> {
    if (buffer.received === 0) return;
    const { pieceCount, from } = beginOfPiece(row, buffer.size, buffer.received);
    await send('piece', from, (name, size) => {
      replacePieces(row, pieceCount, name, size);
      buffer.keep();
    });
  }

  async function discard(): Promise<void> {
    discardBytes(row);
    buffer.reset();
    await save();
  }

  /** The store has removed an unfinished upload, by a rule of its bucket: the client has to send the file again. */
  async function forget(): Promise<never> {
    await discard();
    throw new S3Error('UploadPart', 404, 'NoSuchUpload');
  }

  async function completeParts(object: string, uploadId: string): Promise<void> {
    if (buffer.size > 0) await sendPart();
    const isComplete = await s3.completeUpload(object, uploadId, row.parts).catch(async (error: unknown) => {
      // The response may be lost, or an earlier request may have completed the upload.
      if (await s3.sizeOf(object).then((size) => size === partsSize(row))) return true;
      throw error;
    });
    if (!isComplete && (await s3.sizeOf(object)) === undefined) return forget();
    await assertSize(object, partsSize(row));
    becomeWhole(row, object, partsSize(row));
    buffer.reset();
    await save();
  }

  async function finish(): Promise<void> {
    if (row.isWhole) return;
    if (sizeNow() === 0) {
      // The store has no object for an empty file. Refused bytes may have begun an upload.
      discardBytes(row);
      becomeWhole(row, null, 0);
      return save();
    }
    if (row.object !== null && row.uploadId !== null) return completeParts(row.object, row.uploadId);
    await send('whole', 0, (name, size) => {
      becomeWhole(row, name, size);
      buffer.reset();
    });
  }

  async function write(offset: number, limit: number, source: AsyncIterable<Uint8Array>): Promise<number> {
    if (offset === 0 && sizeNow() > 0) await discard();
    if (offset !== sizeNow()) throw new Error('Bytes are written at the end only.');
    await sendPiece();
    const rewind = markOf(row);
    for await (const chunk of source) {
      signal.throwIfAborted();
      if (sizeNow() + chunk.length > limit) {
        rewind();
        buffer.reset();
        await save();
        throw new TooManyBytes();
      }
      for (let sent = 0; sent < chunk.length; ) {
        // Not as soon as it is full: a file of one part needs no upload in parts.
        if (buffer.size === partBytes) await sendPart();
        const bytes = chunk.subarray(sent, sent + partBytes - buffer.size);
        await buffer.append(bytes);
        sent += bytes.length;
      }
    }
    return sizeNow();
  }

  async function removeGarbage(): Promise<void> {
    for (const [name, uploadId] of row.garbage) {
      await (uploadId === undefined ? s3.remove(name) : s3.abortUpload(name, uploadId));
    }
    row.garbage = [];
  }

  async function remove(): Promise<void> {
    if (!isStored) return;
    await discard();
    await removeGarbage();
    await db.write((tx) => deleteUpload(tx, row));
    isOver = true;
  }

  /** Records that the store fails, so that `close` does not wait for it again. */
  async function noted<T>(work: Promise<T>): Promise<T> {
    return work.catch((error: unknown) => {
      hasFailed ||= error instanceof S3Error;
      throw error;
    });
  }

  return {
    signal,
    size: async () => sizeNow(),
    write: (offset, limit, source) => noted(write(offset, limit, source)),
    sync: () => noted(sendPiece()),
    finish: () => noted(finish()),

    async head(length) {
      if (!row.object || row.size === 0) return new Uint8Array();
      const object = await s3.get(row.object, 0, Math.min(length, row.size) - 1);
      const pieces: Uint8Array[] = [];
      for await (const bytes of object ?? []) pieces.push(bytes);
      return Buffer.concat(pieces);
    },

    async confirm(tx) {
      if (!(await confirmUpload(tx, row))) throw superseded();
    },
    remove: () => noted(remove()),

    async close() {
      try {
        if (isOver || hasFailed) return;
        await sendPiece();
        if (row.garbage.length === 0) return;
        await removeGarbage();
        await save();
      } catch {
        // Bytes that are not stored were not acknowledged, and the row lists the garbage to remove.
      } finally {
        await buffer.close();
      }
    },
  };
}
