// The composition of what stores and finds files.
import { join } from 'node:path';
import {
  createFileTokens,
  createIndexing,
  createPlatformFiles,
  openFileStore,
  openFullText,
} from '../files/index.ts';
import type { Processes } from '../jobs/processes.ts';
import type { Wiring } from './options.ts';
import type { ExternalServices, Settings } from './settings.ts';

interface FilesOptions {
  external: ExternalServices;
  processes: Processes;
  now(): number;
  /** Called after a commit that removes files. */
  onRemoved(): void;
}

/** Creates the store, the search and the addresses of files. */
export async function createFiles(
  settings: Settings,
  wiring: Wiring,
  { external: { s3, embeddings }, processes, now, onRemoved }: FilesOptions,
) {
  const { db, logger, extraction } = wiring;
  const folder = join(settings.DATA_DIR, 'files');
  const store = await openFileStore({ db, folder, s3, logger, now });
  const tokens = createFileTokens(wiring.secret, wiring.previousSecrets);
  const passages = await db.write(openFullText);
  const indexing = createIndexing({
    ...{ db, processes, store, index: passages, extraction, logger, now },
    embeddings: embeddings && { ...embeddings, ...wiring.embeddingHooks },
  });
  const platformFiles = createPlatformFiles(tokens, {
    passages,
    vectors: indexing.vectors,
    semanticSearch: indexing.semanticSearch,
    onWaiting: indexing.wake,
    onRemoved,
    now,
  });
  return { folder, store, tokens, passages, indexing, platformFiles };
}
