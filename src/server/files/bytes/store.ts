// The bytes of files on disk: one file each, named by its id, one writer at a time. It knows no database and no name.
import { mkdir, open, opendir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileIdPattern } from './tokens.ts';

/** Bytes read at a time when a file is sent. */
const readBytes = 65_536;

/** What a writer may do while it holds a file. Aborted when another one takes over. */
export interface Writer {
  signal: AbortSignal;
  /** Bytes that are there. */
  size(): Promise<number>;
  /**
   * Writes from `offset` on what `source` gives, chunk by chunk, and cuts off what was there behind. Gives the size
   * afterwards. When `source` fails, what arrived stays; when it gives more than `limit` bytes in all, the file is
   * as long as `offset` again and TooManyBytes is thrown.
   */
  write(offset: number, limit: number, source: AsyncIterable<Uint8Array>): Promise<number>;
  /** Resolves when all bytes, and the file's entry in its folder, are on disk. */
  sync(): Promise<void>;
  /** The first bytes. */
  head(length: number): Promise<Uint8Array>;
  remove(): Promise<void>;
}

/** More bytes came than were declared. */
export class TooManyBytes extends Error {}

export interface FileStore {
  /** Runs `work` as the only writer of a file; one that is at it is told to stop first, and waited for. */
  hold<T>(id: string, work: (writer: Writer) => Promise<T>): Promise<T>;
  /** The bytes `first` to `last` (included), read as they are taken. Rejects when there is no such file. */
  read(id: string, first: number, last: number): Promise<ReadableStream<Uint8Array>>;
  /** Where its bytes lie, for who reads them in another thread. */
  pathOf(id: string): string;
  /** Ids of all files in the folder. */
  ids(): AsyncIterable<string>;
  /** Stops all writers; what arrived stays. */
  close(): Promise<void>;
}

/** The files of a folder, which is made when it is missing. */
export async function openFileStore(folder: string): Promise<FileStore> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const holders = new Map<string, { controller: AbortController; done: Promise<unknown> }>();
  let closed = false;

  function pathOf(id: string): string {
    if (!fileIdPattern.test(id)) throw new Error('This is not an id of a file.');
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
      earlier?.controller.abort(takenOver);
      if (closed) controller.abort(takenOver);
      const done = Promise.resolve(earlier?.done)
        .catch(() => {})
        .then(() => {
          // One that came later still has taken over before this one began.
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
            // Fewer bytes than were promised must not look like an end.
            if (position <= last) throw new Error('The file is shorter than it should be.');
            controller.close();
          },
          cancel: () => file.close(),
        },
        // Nothing is read ahead: who takes slowly costs one piece of memory.
        { highWaterMark: 0 },
      );
    },

    pathOf,

    async *ids() {
      for await (const { name } of await opendir(folder)) if (fileIdPattern.test(name)) yield name;
    },

    async close() {
      closed = true;
      for (const { controller } of holders.values()) controller.abort(takenOver);
      await Promise.allSettled([...holders.values()].map(({ done }) => done));
    },
  };
}

/** Why a writer is stopped. */
export const takenOver = new Error('Another request has taken this upload over, or the server stops.');
