// Reads bodies of the Admin API with more than 1 MB in a worker thread. A configuration in such a body is stored as a
// file, because a database write of 50 MB would block all others.
import type { FileStore } from '../../files/index.ts';
import {
  announceConfigurationFile,
  forgetConfigurationFile,
} from '../../storage/bots/configuration-files.ts';
import type { Database } from '../../storage/database.ts';
import { createId } from '../../storage/ids.ts';
import type { Threads } from './thread.ts';

/** A checked configuration in a file. Handlers get it instead of the configuration. */
export class StoredConfiguration {
  readonly contentId: string;

  constructor(contentId: string) {
    this.contentId = contentId;
  }
}

/** The checked body of a request while it is read. */
export interface LargeInput {
  push(piece: Uint8Array): Promise<void>;
  /** Returns the checked input. Throws the same errors as for a small body. */
  end(): Promise<unknown>;
  /** Ends the thread, and removes a file that no bot uses. Must be called after the request. */
  release(): Promise<void>;
}

export interface LargeBodies {
  open(operationId: string, values: number): Promise<LargeInput>;
}

export function createLargeBodies({
  db,
  store,
  threads,
  now,
  onRemoved,
}: {
  db: Database;
  store: FileStore;
  threads: Threads;
  now(): number;
  onRemoved(): void;
}): LargeBodies {
  return {
    async open(operationId, values) {
      const contentId = createId('file', now());
      // Before the first byte: bytes without a row are removed by the next start.
      await db.write((tx) => announceConfigurationFile(tx, contentId, now()));
      const { path, commit, discard } = await store.stage(contentId);
      const thread = await threads.start({ kind: 'body', operationId, values, path });
      return {
        async push(piece) {
          // A copy, because the buffer of a piece is often a part of a larger one, which cannot be moved.
          thread.send(piece.slice());
        },
        async end() {
          thread.send(null);
          const report = await thread.result;
          if (!('input' in report)) throw new Error('The thread has read no body.');
          if (!report.hasConfiguration) return report.input;
          await commit();
          return { ...(report.input as object), configuration: new StoredConfiguration(contentId) };
        },
        async release() {
          await thread.end();
          await discard();
          if (await db.write((tx) => forgetConfigurationFile(tx, contentId))) onRemoved();
        },
      };
    },
  };
}
