// Generated from src/protocol/schemas/files.ts by type-modules.test.ts (`npm run generate`). Do not edit.
// biome-ignore-all format: generated
// biome-ignore-all assist/source/organizeImports: generated

export type FileSortField = 'key' | 'size' | 'createdAt' | 'updatedAt' | 'status';

/**
 * `upload_pending` until the bytes are stored, then `upload_completed`, or `upload_failed`. With `index`:
 * `indexing_pending`, then `indexing_completed` or `indexing_failed`.
 */
export type PlatformFileStatus =
  | 'upload_pending'
  | 'upload_completed'
  | 'upload_failed'
  | 'indexing_pending'
  | 'indexing_completed'
  | 'indexing_failed';

/**
 * The readers of a file in addition to its owner. `public_content`: everyone who has its address may read the bytes;
 * `integrations`: all integrations of the bot may read, search and list it.
 */
export type AccessPolicy = 'public_content' | 'integrations';

/** The creator of a file: a bot, an integration, or a member of the workspace (`user`). */
export interface FileOwner {
  type: 'bot' | 'integration' | 'user';
  /** Of a bot or a member. */
  id?: string;
  /** Of an integration. */
  name?: string;
  /** Of an integration: its name again, for clients that read this field. */
  alias?: string;
}

/** A file as the Files API describes it. */
export interface PlatformFile {
  id: string;
  botId: string;
  /** Its name, unique within a bot, or within an integration of a bot. */
  key: string;
  /** The address of its bytes: permanent with `public_content`, otherwise valid for an hour. */
  url: string;
  /** Bytes; null until they are stored. */
  size: number | null;
  contentType: string;
  tags: Record<string, string>;
  metadata: Record<string, unknown>;
  createdAt: string;
  updatedAt: string;
  accessPolicies: AccessPolicy[];
  /** Whether its text can be searched. */
  index: boolean;
  status: PlatformFileStatus;
  /** Why the upload or the indexing failed. */
  failedStatusReason?: string;
  /** Parts that the index lacks, or may have read wrongly: characters of an unknown encoding, pages without text. */
  warnings?: string[];
  /** When it will be deleted, UTC. */
  expiresAt?: string;
  owner: FileOwner;
}

/** The result of `upsertFile`: send bytes to `uploadUrl` by PUT, or PATCH with `Upload-Offset` (a subset of tus). */
export interface AnnouncedFile extends PlatformFile {
  uploadUrl: string;
}

/** The input of `upsertFile`. */
export interface PlatformFileFields {
  key: string;
  /** The number of bytes that will be sent. */
  size: number;
  /** Makes the text of the file searchable. Default: false. */
  index?: boolean;
  /** Accepted and ignored: there is only one way to index. */
  indexing?: Record<string, unknown>;
  tags?: Record<string, string>;
  metadata?: Record<string, unknown>;
  accessPolicies?: AccessPolicy[];
  /** Default: the type for the extension of `key`. */
  contentType?: string;
  /** When it will be deleted, at most 90 days from now, with a precision of a minute. */
  expiresAt?: string;
  /**
   * Has no effect here: a public file is readable as soon as its bytes are stored. `uploadFile` sends it to the upload
   * address, because other servers need it.
   */
  publicContentImmediatelyAccessible?: boolean;
}

/** The input of `updateFileMetadata`. Omitted fields do not change. */
export interface PlatformFileChanges {
  /** Indexes the file, or removes its index. Its bytes stay. */
  index?: boolean;
  /** Merged into the existing tags; null removes one. */
  tags?: Record<string, string | null>;
  /** Merged at the first level; null removes a key. */
  metadata?: Record<string, unknown>;
  /** Replaces the existing policies. */
  accessPolicies?: AccessPolicy[];
  /** null: it does not expire. */
  expiresAt?: string | null;
}

/** The role of a passage in its document. */
export type PassageSubtype = 'title' | 'subtitle' | 'paragraph' | 'blockquote' | 'list' | 'table' | 'code' | 'image' | 'page';

export interface PassageMeta {
  type: 'chunk' | 'summary' | 'consolidated' | 'image';
  subtype?: PassageSubtype;
  /** From 1. */
  pageNumber?: number;
  /** Its index among the passages of the file, from 0. */
  position?: number;
  sourceUrl?: string;
}

/** A part of a file's text. */
export interface FilePassage {
  id: string;
  content: string;
  meta: PassageMeta;
}

/** The input of `setFilePassages` for each passage. */
export interface NewPassage {
  content: string;
  subtype?: PassageSubtype;
  /** The same, as the client of the hosted product names it. */
  type?: PassageSubtype;
  pageNumber?: number;
}

/** A passage that was found, text around it, or a title above it. */
export interface PassageContext {
  id?: string;
  text: string;
  /** Distance in passages; negative: before. 0 for the passage itself, omitted for a title. */
  offset?: number;
  type: 'breadcrumb' | 'preceding' | 'current' | 'subsequent';
}

/** A passage that was found. */
export interface FoundPassage {
  content: string;
  /** 0 to 1; higher is better. */
  score: number;
  meta: PassageMeta;
  file: {
    id: string;
    /** Its name, unique within a bot, or within an integration of a bot. */
    key: string;
    contentType: string;
    metadata: Record<string, unknown>;
    tags: Record<string, string>;
    createdAt: string;
    updatedAt: string;
  };
  context?: PassageContext[];
}

/** The number of files, and their bytes. */
export interface StorageCount {
  count: number;
  bytes: number;
}

/** The storage that the files of a bot use. `vectorDb`: the indexed files, and the bytes of their text. */
export interface FileStorage {
  files: StorageCount;
  vectorDb: StorageCount;
}

/**
 * Whether searches find passages by their meaning. `indexing`: of some files by words only so far. `failing`: by words
 * only, because the model does not answer; `reason` says why. `unavailable`: the packages of the embedded model are not
 * installed. `off`: by the settings of the server.
 */
export interface SemanticSearch {
  status: 'ready' | 'indexing' | 'failing' | 'unavailable' | 'off';
  /** The model that computes the vectors. */
  model?: string;
  reason?: string;
}

/** A named group of files: those whose tag `kbId` is its id. The files must be indexed. */
export interface KnowledgeBase {
  id: string;
  name: string;
  createdAt: string;
  updatedAt: string;
  tags: Record<string, string>;
}
