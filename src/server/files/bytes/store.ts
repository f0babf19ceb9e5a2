// The interface of the bytes of files: a folder (folder.ts) or an object store (s3/) implements it. store.contract.ts tests
// both.
import type { WriteTx } from '../../storage/database.ts';

/** The operations of the only writer of a file. Its signal is aborted when another writer supersedes it. */
export interface Writer {
  signal: AbortSignal;
  /** Returns the number of received bytes. */
  size(): Promise<number>;
  /**
   * Writes the chunks of `source` from `offset` on: at the end of the received bytes, or at 0, which discards them.
   * Returns the new size. When `source` fails, the received bytes are kept. When the file would exceed `limit` bytes, it
   * is reset to `offset` and TooManyBytes is thrown.
   */
  write(offset: number, limit: number, source: AsyncIterable<Uint8Array>): Promise<number>;
  /** Resolves when all received bytes are durable, so that an upload can continue after them. */
  sync(): Promise<void>;
  /** Resolves when all received bytes are durable and can be read. No further bytes follow. */
  finish(): Promise<void>;
  /** Returns the first bytes of a finished file. */
  head(length: number): Promise<Uint8Array>;
  /**
   * Keeps a finished file until the end of the transaction: what it stores about the bytes stays true. Throws
   * uploadSuperseded when a writer in another process has begun.
   */
  confirm(tx: WriteTx): Promise<void>;
  remove(): Promise<void>;
}

/** More bytes arrived than were declared. */
export class TooManyBytes extends Error {}

/** The bytes of a file do not exist. */
export class MissingBytes extends Error {}

export interface FileStore {
  /** Runs `work` as the only writer of a file. An earlier writer is aborted and awaited first. */
  hold<T>(id: string, work: (writer: Writer) => Promise<T>): Promise<T>;
  /** Streams the bytes from `first` to `last`, inclusive. Rejects with MissingBytes when the file does not exist. */
  read(id: string, first: number, last: number): Promise<ReadableStream<Uint8Array>>;
  /** Calls `work` with the path of the bytes on this machine, for a reader in another thread. */
  withLocalFile<T>(id: string, work: (path: string) => Promise<T>): Promise<T>;
  /**
   * Removes bytes that no row references. A row is inserted before the first byte of its file, so these bytes are
   * orphaned. A store whose search is expensive searches rarely, whenever it is called. `isKnown`: whether the bytes of an
   * id are in use or queued for removal.
   */
  removeOrphans(isKnown: (id: string) => Promise<boolean>, isClosed: () => boolean): Promise<void>;
  /** Stops all writers; received bytes are kept. */
  close(): Promise<void>;
}

/** The reason with which a writer is aborted. */
export const uploadSuperseded = new Error('Another request has superseded this upload, or the server stops.');

export interface Holders {
  /** Runs `work` when the earlier holder of the id has ended. Its signal is aborted by a later holder. */
  hold<T>(id: string, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Aborts all holders and waits for their end. */
  close(): Promise<void>;
}

/** Allows one writer for each file in this process: a new one aborts the earlier one, and begins when that has ended. */
export function createHolders(): Holders {
  const holders = new Map<string, { controller: AbortController; done: Promise<unknown> }>();
  let closed = false;
  return {
    async hold(id, work) {
      const earlier = holders.get(id);
      const controller = new AbortController();
      earlier?.controller.abort(uploadSuperseded);
      if (closed) controller.abort(uploadSuperseded);
      const done = Promise.resolve(earlier?.done)
        .catch(() => {})
        .then(() => {
          // A later writer superseded this one before it began.
          controller.signal.throwIfAborted();
          return work(controller.signal);
        });
      const holder = { controller, done };
      holders.set(id, holder);
      try {
        return await done;
      } finally {
        if (holders.get(id) === holder) holders.delete(id);
      }
    },
    async close() {
      closed = true;
      for (const { controller } of holders.values()) controller.abort(uploadSuperseded);
      await Promise.allSettled([...holders.values()].map(({ done }) => done));
    },
  };
}
