// Stores the bytes of files in a folder: one file each, named by its id.
import { mkdir, open, opendir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createHolders, type FileStore, MissingBytes, TooManyBytes, type Writer } from './store.ts';
import { fileIdPattern } from './tokens.ts';

/** The number of bytes per read when a file is sent. */
const readBytes = 65_536;

/** Opens the files of a folder, which is created if it is missing. */
export async function openFolder(folder: string): Promise<FileStore> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const holders = createHolders();
  let isSearched = false;

  function pathOf(id: string): string {
    if (!fileIdPattern.test(id)) throw new Error('This is not the id of a file.');
    return join(folder, id);
  }

  function createWriter(path: string, signal: AbortSignal): Writer {
    async function sync(): Promise<void> {
      for (const target of [path, folder]) {
        const file = await open(target, 'r');
        await file.sync().finally(() => file.close());
      }
    }
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
      sync,
      finish: sync,
      async head(length) {
        const file = await open(path, 'r');
        try {
          const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, 0);
          return buffer.subarray(0, bytesRead);
        } finally {
          await file.close();
        }
      },
      // Only one process writes in the folder.
      confirm: async () => {},
      remove: () => rm(path, { force: true }),
    };
  }

  return {
    async hold(id, work) {
      const path = pathOf(id);
      return holders.hold(id, (signal) => work(createWriter(path, signal)));
    },

    async read(id, first, last) {
      const file = await open(pathOf(id), 'r').catch((error: NodeJS.ErrnoException) => {
        throw error.code === 'ENOENT' ? new MissingBytes() : error;
      });
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

    withLocalFile: async (id, work) => work(pathOf(id)),

    async removeOrphans(isKnown, isClosed) {
      // Only a crash leaves orphans, so once for each start.
      if (isSearched) return;
      isSearched = true;
      for await (const { name: id } of await opendir(folder)) {
        if (isClosed()) return;
        if (!fileIdPattern.test(id) || (await isKnown(id))) continue;
        await holders.hold(id, () => rm(pathOf(id), { force: true }));
      }
    },

    close: holders.close,
  };
}
