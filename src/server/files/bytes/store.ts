// Stores the bytes of files on disk: one file each, named by its id, with one writer at a time.
import { mkdir, open, opendir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileIdPattern } from './tokens.ts';

/** The number of bytes per read when a file is sent. */
const readBytes = 65_536;

/** The operations of the only writer of a file. Its signal is aborted when another writer supersedes it. */
export interface Writer {
  signal: AbortSignal;
  /** Returns the number of stored bytes. */
  size(): Promise<number>;
  /**
   * Writes the chunks of `source` from `offset` on, and truncates the rest. Returns the new size. When `source` fails,
   * the received bytes are kept. When the file would exceed `limit` bytes, it is truncated to `offset` and TooManyBytes
   * is thrown.
   */
  write(offset: number, limit: number, source: AsyncIterable<Uint8Array>): Promise<number>;
  /** Resolves when all bytes and the file's entry in its folder are on disk. */
  sync(): Promise<void>;
  /** Returns the first bytes. */
  head(length: number): Promise<Uint8Array>;
  remove(): Promise<void>;
}

/** More bytes arrived than were declared. */
export class TooManyBytes extends Error {}

export interface FileStore {
  /** Runs `work` as the only writer of a file. An earlier writer is aborted and awaited first. */
  hold<T>(id: string, work: (writer: Writer) => Promise<T>): Promise<T>;
  /** Streams the bytes from `first` to `last`, inclusive. Rejects when the file does not exist. */
  read(id: string, first: number, last: number): Promise<ReadableStream<Uint8Array>>;
  /** Returns the path of the bytes, for a reader in another thread. */
  pathOf(id: string): string;
  /** The ids of all files in the folder. */
  ids(): AsyncIterable<string>;
  /** Stops all writers; received bytes are kept. */
  close(): Promise<void>;
}

/** Opens the files of a folder, which is created if it is missing. */
export async function openFileStore(folder: string): Promise<FileStore> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const holders = new Map<string, { controller: AbortController; done: Promise<unknown> }>();
  let closed = false;

  function pathOf(id: string): string {
    if (!fileIdPattern.test(id)) throw new Error('This is not the id of a file.');
    return join(folder, id);
  }

  function createWriter(path: string, signal: AbortSignal): Writer {
    return {
      signal,
      size: async () => (await stat(path).catch(() => undefined))?.size ?? 0,
      async write(offset, limit, source) {
        const file = await open(path, 'a').then(async (made) => {
          await made.close();
          return open(path, 'r+');
        });
        let position = offset;
        try {
          await file.truncate(offset);
          for await (const chunk of source) {
            signal.throwIfAborted();
            if (position + chunk.length > limit) {
              await file.truncate(offset);
              throw new TooManyBytes();
            }
            for (let written = 0; written < chunk.length; ) {
              const { bytesWritten } = await file.write(chunk, written, chunk.length - written, position);
              written += bytesWritten;
              position += bytesWritten;
            }
          }
          return position;
        } finally {
          await file.close();
        }
      },
      async sync() {
        for (const target of [path, folder]) {
          const file = await open(target, 'r');
          await file.sync().finally(() => file.close());
        }
      },
      async head(length) {
        const file = await open(path, 'r');
        try {
          const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, 0);
          return buffer.subarray(0, bytesRead);
        } finally {
          await file.close();
        }
      },
      remove: () => rm(path, { force: true }),
    };
  }

  return {
    async hold(id, work) {
      const path = pathOf(id);
      const earlier = holders.get(id);
      const controller = new AbortController();
      earlier?.controller.abort(uploadSuperseded);
      if (closed) controller.abort(uploadSuperseded);
      const done = Promise.resolve(earlier?.done)
        .catch(() => {})
        .then(() => {
          // A later writer superseded this one before it began.
          controller.signal.throwIfAborted();
          return work(createWriter(path, controller.signal));
        });
      const holder = { controller, done };
      holders.set(id, holder);
      try {
        return await done;
      } finally {
        if (holders.get(id) === holder) holders.delete(id);
      }
    },

    async read(id, first, last) {
      const file = await open(pathOf(id), 'r');
      let position = first;
      return new ReadableStream<Uint8Array>(
        {
          async pull(controller) {
            const length = Math.min(readBytes, last + 1 - position);
            const { bytesRead, buffer } = await file
              .read(Buffer.allocUnsafeSlow(length), 0, length, position)
              .catch(async (error: unknown) => {
                await file.close();
                throw error;
              });
            position += bytesRead;
            if (bytesRead > 0) controller.enqueue(buffer.subarray(0, bytesRead));
            if (bytesRead > 0 && position <= last) return;
            await file.close();
            // Fewer bytes than the content-length must not look like a regular end.
            if (position <= last) throw new Error('The file is shorter than it should be.');
            controller.close();
          },
          cancel: () => file.close(),
        },
        // No read-ahead, so that a slow client uses the memory of one chunk.
        { highWaterMark: 0 },
      );
    },

    pathOf,

    async *ids() {
      for await (const { name } of await opendir(folder)) if (fileIdPattern.test(name)) yield name;
    },

    async close() {
      closed = true;
      for (const { controller } of holders.values()) controller.abort(uploadSuperseded);
      await Promise.allSettled([...holders.values()].map(({ done }) => done));
    },
  };
}

/** The reason with which a writer is aborted. */
export const uploadSuperseded = new Error('Another request has superseded this upload, or the server stops.');
