// Indexes files in the background: reads their text, and stores it as passages of a new index version.
import type { Logger } from 'pino';
import { limits } from '../../../protocol/limits.ts';
import { createJobRunner, type JobRunner } from '../../jobs/runner.ts';
import type { Database } from '../../storage/database.ts';
import {
  beginIndexing,
  failIndexing,
  holdVersion,
  nextFileToIndex,
  publishIndex,
  suspendIndexing,
  type WaitingFile,
} from '../../storage/files/indexing.ts';
import { insertPassage } from '../../storage/files/passages.ts';
import { createId } from '../../storage/ids.ts';
import { withCharset } from '../bytes/media-type.ts';
import type { FileStore } from '../bytes/store.ts';
import type { VectorIndex } from '../embeddings/vector-index.ts';
import type { PassageIndex } from '../full-text.ts';
import type { Extraction } from './extraction.ts';
import { type Passage, searchedText } from './passages.ts';
import { UnreadableError } from './reader-interface.ts';

export interface IndexerOptions {
  db: Database;
  store: FileStore;
  index: PassageIndex;
  /** Undefined without semantic search. */
  vectors?: VectorIndex | undefined;
  extraction: Extraction;
  logger: Logger;
  now(): number;
}

/** The maximum number of attempts per file, so that a file that crashes the process is not retried forever. */
const maxAttempts = 3;

/** The maximum number of sentences about text that could not be read. */
const maxWarnings = 20;

/** The queue of files with the status `indexing_pending`; one is indexed at a time. */
export function createIndexer({
  db,
  store,
  index,
  vectors,
  extraction,
  logger,
  now,
}: IndexerOptions): JobRunner {
  interface IndexJob extends WaitingFile {
    /** The index version that is being built. */
    version: string;
  }

  async function indexFile(file: IndexJob, signal: AbortSignal): Promise<void> {
    const isBegun = await db.write(async (tx) => {
      await tx.lock(`bot:${file.botId}`);
      return beginIndexing(tx, file, file.version);
    });
    if (!isBegun) return;
    if (file.attempts >= maxAttempts) {
      throw new UnreadableError(`The server was stopped ${maxAttempts} times while it read the file.`);
    }
    if (file.size > limits.indexedFileBytes) {
      throw new UnreadableError(`Files of more than ${limits.indexedFileBytes} bytes are not indexed.`);
    }
    let position = 0;
    let bytes = 0;
    const warnings = new Set<string>();
    const warn = (problem: string) => {
      if (warnings.size < maxWarnings) warnings.add(problem);
    };
    // The type is that of the bytes, the charset that of the owner.
    const type = withCharset(file.contentType, file.declaredType);
    const isAwaited = await store.withLocalFile(file.contentId, async (path) => {
      for await (const passages of extraction.passages(path, type, signal, warn)) {
        signal.throwIfAborted();
        if (position + passages.length > limits.filePassages) {
          throw new UnreadableError(`The file has more than ${limits.filePassages} passages.`);
        }
        // False: the file was deleted or its bytes were replaced.
        if (!(await storePassages(file, passages, position))) return false;
        position += passages.length;
        for (const { content } of passages) bytes += Buffer.byteLength(content);
      }
      return true;
    });
    if (!isAwaited) return;
    await vectors?.prepare(file.id, file.version, position, signal);
    await db.write(async (tx) => {
      await tx.lock(`bot:${file.botId}`);
      const isPublished = await publishIndex(tx, file.id, file.version, bytes, now(), [...warnings]);
      if (isPublished) tx.afterCommit(() => vectors?.add(file.botId, file.version));
    });
  }

  async function storePassages(file: IndexJob, passages: Passage[], first: number): Promise<boolean> {
    return db.write(async (tx) => {
      if (!(await holdVersion(tx, file.id, file.version))) return false;
      for (const [offset, passage] of passages.entries()) {
        const id = createId('passage', now());
        const position = first + offset;
        const seq = await insertPassage(tx, { ...passage, id, indexVersion: file.version, position });
        await index.add(tx, file.botId, { seq, text: searchedText(passage) });
      }
      return true;
    });
  }

  return createJobRunner<IndexJob>(
    {
      name: 'indexing a file',
      concurrency: 1,
      async next(tx, afterBotId, excluded) {
        const file = await nextFileToIndex(tx, afterBotId, excluded);
        return file && { ...file, version: createId('version', now()) };
      },
      run: indexFile,
      fail: (tx, file, reason) => failIndexing(tx, file.id, file.version, reason, now()),
      suspend: (tx, file) => suspendIndexing(tx, file.id, file.version),
    },
    { db, logger },
  );
}
