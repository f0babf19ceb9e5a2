// The Files API, the bytes of all files, indexing and search. Other folders import this file only.
export { type FilePrincipal, mayUse, ownerOf, spaceOf } from './access.ts';
export {
  assertAllowed,
  type BotFileLimits,
  createFileService,
  type FileLimits,
  type FileService,
} from './attachments.ts';
export { createDownloadHandler } from './bytes/download.ts';
export { charsetOf, declaredType, isAllowed } from './bytes/media-type.ts';
export { fileName } from './bytes/name.ts';
export { filePaths } from './bytes/openapi.ts';
export { type FileStore, MissingBytes } from './bytes/store.ts';
export { createFileTokens, type FileTokens } from './bytes/tokens.ts';
export { createUploadHandler } from './bytes/upload.ts';
export { compactSearchIndex, removeContent, removeOrphanedContents, removePassages } from './cleanup.ts';
export { type Cell, CsvError, readCsv } from './csv-reader.ts';
export { EmbeddingError, modelName } from './embeddings/model.ts';
export type { EmbeddingHooks, SharedModel } from './embeddings/options.ts';
export { createModelHealth, createModelSearches, type ModelHealth } from './embeddings/serving-model.ts';
export { embeddingSettings, readEmbeddings } from './embeddings/settings.ts';
export { vectorCertainty } from './embeddings/vector-search.ts';
export { splitBlock } from './embeddings/vectors.ts';
export { announced } from './file-fields.ts';
export {
  indexEarlierPassages,
  openFullText,
  type PassageIndex,
  rebuildFullText,
} from './full-text.ts';
export type { ExtractionOptions } from './indexing/extraction.ts';
export { createIndexing } from './indexing/index.ts';
export { openFileStore, openObjects } from './open-store.ts';
export { heldFileOfKey } from './operations/find.ts';
export { filesHandlers } from './operations/index.ts';
export type { FilesServices } from './operations/services.ts';
export {
  contentPath,
  createPlatformFiles,
  type PlatformFiles,
  uploadPath,
  uploadPaths,
} from './platform-files.ts';
export type { Objects } from './s3/objects.ts';
export type { S3Options } from './s3/requests.ts';
export { S3Error } from './s3/requests.ts';
export { readS3, s3Settings } from './s3/settings.ts';
export { findPassages, fusedScores, searchFiles } from './search.ts';
export { fileTitle } from './serializers.ts';
export { readFileLimits, type VisitorFileSettings, visitorFileSettings } from './settings.ts';
export { type DecodeOptions, decodeText } from './text/decode.ts';
