// Indexes the files that wait in the database, one at a time in the background; bots take turns, file by file.
import type { Logger } from 'pino';
import { limits } from '../../../protocol/limits.ts';
import type { Database } from '../../storage/database.ts';
import {
  beginEdition,
  editionWanted,
  failEdition,
  insertPassage,
  publishEdition,
  suspendEdition,
  type WaitingFile,
  waitingFile,
} from '../../storage/files/passages.ts';
import { createId } from '../../storage/ids.ts';
import type { FileStore } from '../bytes/store.ts';
import type { PassageIndex } from '../search/full-text.ts';
import type { Extraction } from './extraction.ts';
import type { Passage } from './passages.ts';
import { Unreadable } from './unreadable.ts';

export interface IndexerOptions {
  db: Database;
  store: FileStore;
  index: PassageIndex;
  extraction: Extraction;
  logger: Logger;
  now(): number;
}

export interface Indexer {
  /** Files may wait: to be called after the commit that makes them. */
  wake(): void;
  /** Resolves when no file waits. */
  idle(): Promise<void>;
  /** Stops in the middle; the next start begins that file again. */
  close(): Promise<void>;
}

/** How often a file is begun: one that takes the server down with it must not do so for ever. */
const mostAttempts = 3;

export function createIndexer({ db, store, index, extraction, logger, now }: IndexerOptions): Indexer {
  const life = new AbortController();
  let closed = false;
  let again = false;
  let round: Promise<void> | undefined;
  /** The bot whose file was indexed last. */
  let lastBotId = '';

  async function run(): Promise<void> {
    try {
      do {
        again = false;
        for (;;) {
          const file = closed ? undefined : await db.read((tx) => waitingFile(tx, lastBotId));
          if (!file) break;
          lastBotId = file.botId;
          await indexFile(file);
        }
      } while (again && !closed);
    } catch (error) {
      if (!closed) logger.error({ err: error }, 'indexing files failed');
    }
    round = undefined;
  }

  async function indexFile(file: WaitingFile): Promise<void> {
    const edition = createId('edition', now());
    if (!(await db.write((tx) => beginEdition(tx, file, edition)))) return;
    try {
      if (file.attempts >= mostAttempts) {
        throw new Unreadable(`The server was stopped ${mostAttempts} times while it read the file.`);
      }
      if (file.size > limits.indexedFileBytes) {
        throw new Unreadable(`Files of more than ${limits.indexedFileBytes} bytes are not indexed.`);
      }
      await read(file, edition);
    } catch (error) {
      // Stopped in order: that says nothing about the file.
      if (closed) return db.write((tx) => suspendEdition(tx, file.id, edition));
      if (!(error instanceof Unreadable)) logger.error({ err: error }, 'indexing a file failed');
      const reason = error instanceof Unreadable ? error.message : 'The server failed to read the file.';
      await db.write((tx) => failEdition(tx, file.id, edition, reason, now()));
    }
  }

  async function read(file: WaitingFile, edition: string): Promise<void> {
    const path = store.pathOf(file.contentId);
    let position = 0;
    let bytes = 0;
    for await (const passages of extraction.passages(path, file.contentType, life.signal)) {
      life.signal.throwIfAborted();
      if (position + passages.length > limits.filePassages) {
        throw new Unreadable(`The file has more than ${limits.filePassages} passages.`);
      }
      const first = position;
      const isWanted = await db.write(async (tx) => {
        if (!(await editionWanted(tx, file.id, edition))) return false;
        for (const [place, passage] of passages.entries()) {
          const seq = await insertPassage(tx, {
            ...passage,
            id: createId('passage', now()),
            edition,
            position: first + place,
          });
          await index.add(tx, file.botId, { seq, text: searchedText(passage) });
        }
        return true;
      });
      // Deleted, or replaced by new bytes.
      if (!isWanted) return;
      position += passages.length;
      for (const { content } of passages) bytes += Buffer.byteLength(content);
    }
    await db.write((tx) => publishEdition(tx, file.id, edition, bytes, now()));
  }

  return {
    wake() {
      again = true;
      if (!closed) round ??= run();
    },
    idle: async () => {
      while (round !== undefined) await round;
    },
    async close() {
      closed = true;
      life.abort(new Error('The server stops.'));
      await round;
    },
  };
}

/** A passage is found by the titles above it, too. */
export const searchedText = ({ breadcrumb, content }: Pick<Passage, 'breadcrumb' | 'content'>): string =>
  `${breadcrumb}\n${content}`;
