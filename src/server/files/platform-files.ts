// The services of the Files API in addition to the database: addresses of bytes, search, and callbacks for background jobs.
import type { SemanticSearch } from '../../protocol/types/files.ts';
import type { FileRow } from '../storage/files/files.ts';
import { encodeName, fileName } from './bytes/name.ts';
import type { FileTokens } from './bytes/tokens.ts';
import type { VectorSearch } from './embeddings/vector-search.ts';
import type { PassageIndex } from './full-text.ts';

/** The paths of uploads and downloads. */
export const uploadPath = '/v1/files/uploads';
export const contentPath = '/v1/files/content';
/** The paths of all APIs that receive bytes of files, which can take long. */
export const uploadPaths = /^\/(?:chat\/[^/]+|v1\/files)\/uploads\//;

/** Milliseconds that the address of a file that is not public is valid: an hour. */
export const linkLifetimeMs = 60 * 60 * 1000;

/** The vectors of passages. */
export interface PassageVectors extends VectorSearch {
  /** Must be called after the commit that publishes an index version. */
  add(botId: string, indexVersion: string): void;
}

export interface PlatformFiles {
  passages: PassageIndex;
  /** The vectors of passages; undefined without semantic search. */
  vectors?: PassageVectors | undefined;
  /** Whether the searches of a bot find passages by their meaning. */
  semanticSearch(botId: string): SemanticSearch;
  /**
   * Returns the address for reading the bytes, which is the permission to do so. `server`: the address of the server.
   */
  url(server: string, file: Pick<FileRow, 'id' | 'key' | 'isPublic'>): string;
  /** Returns the address for sending the bytes, which is the permission to do so. */
  uploadUrl(server: string, file: Pick<FileRow, 'contentId'>): string;
  /** Must be called after the commit that queues a file for indexing. */
  onWaiting(): void;
  /** Must be called after the commit that deletes a file or replaces its bytes. */
  onRemoved(): void;
}

export function createPlatformFiles(
  tokens: FileTokens,
  rest: Omit<PlatformFiles, 'url' | 'uploadUrl'> & { now(): number },
): PlatformFiles {
  return {
    ...rest,
    url(server, { id, key, isPublic }) {
      const token = isPublic
        ? tokens.sign('public', id)
        : tokens.sign('link', id, rest.now() + linkLifetimeMs);
      return `${server}${contentPath}/${token}/${encodeName(fileName(key))}`;
    },
    uploadUrl: (server, { contentId }) => `${server}${uploadPath}/${tokens.sign('upload', contentId)}`,
  };
}
