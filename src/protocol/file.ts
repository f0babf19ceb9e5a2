// The words for files of the platform: records, passages, storage, knowledge bases. Types only; no I/O.

/**
 * `upload_pending` until the bytes are there, then `upload_completed`, or `upload_failed`. With `index`:
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
 * Who may read a file beside its owner. `public_content`: everybody who has its address may read the bytes;
 * `integrations`: all integrations of the bot may read, search and list it.
 */
export type AccessPolicy = 'public_content' | 'integrations';

/** Who made a file: a bot, an integration, or a member of the workspace (`user`). */
export interface FileOwner {
  type: 'bot' | 'integration' | 'user';
  /** Of a bot or a member. */
  id?: string;
  /** Of an integration. */
  name?: string;
  /** Of an integration: its name once more, for clients that read this. */
  alias?: string;
}

/** A file as the Files API describes it. */
export interface PlatformFile {
  id: string;
  botId: string;
  /** Its name; one of a kind for a bot, or for an integration of a bot. */
  key: string;
  /** Where its bytes can be read: for good with `public_content`, else for an hour. */
  url: string;
  /** Bytes; null until they are there. */
  size: number | null;
  contentType: string;
  tags: Record<string, string>;
  metadata: Record<string, unknown>;
  createdAt: string;
  updatedAt: string;
  accessPolicies: AccessPolicy[];
  /** Whether its words can be searched. */
  index: boolean;
  status: PlatformFileStatus;
  /** Why the upload or the indexing failed. */
  failedStatusReason?: string;
  /** When it will be deleted, UTC. */
  expiresAt?: string;
  owner: FileOwner;
}

/** What `upsertFile` gives: the bytes go to `uploadUrl` by PUT, or by PATCH with `Upload-Offset` (a subset of tus). */
export interface AnnouncedFile extends PlatformFile {
  uploadUrl: string;
}

/** What `upsertFile` takes. */
export interface PlatformFileFields {
  key: string;
  /** Bytes that will be sent. */
  size: number;
  /** Makes the words of the file searchable. Default: false. */
  index?: boolean;
  /** How to index; taken and not used: there is one way. */
  indexing?: Record<string, unknown>;
  tags?: Record<string, string>;
  metadata?: Record<string, unknown>;
  accessPolicies?: AccessPolicy[];
  /** Left out: by the extension of `key`. */
  contentType?: string;
  /** When it will be deleted, at most 90 days from now; to the minute. */
  expiresAt?: string;
  /**
   * Makes no difference here: a public file is readable as soon as its bytes are there. `uploadFile` tells the upload
   * address, because other servers need it.
   */
  publicContentImmediatelyAccessible?: boolean;
}

/** What `updateFileMetadata` takes. What is left out stays. */
export interface PlatformFileChanges {
  /** Merged into those that are there; null takes one away. */
  tags?: Record<string, string | null>;
  /** Merged, at its first level; null takes a key away. */
  metadata?: Record<string, unknown>;
  /** Replaces those that are there. */
  accessPolicies?: AccessPolicy[];
  /** null: never. */
  expiresAt?: string | null;
}

/** A text equals; a list is "one of"; several conditions must all hold. */
export type TagCondition =
  | string
  | string[]
  | { not?: string | string[]; in?: string | string[]; exists?: boolean };

/** Conditions by the name of a tag; all must hold. */
export type TagFilter = Record<string, TagCondition>;

export type FileSortField = 'key' | 'size' | 'createdAt' | 'updatedAt' | 'status';

/** What a passage is in its document. */
export type PassageSubtype =
  | 'title'
  | 'subtitle'
  | 'paragraph'
  | 'blockquote'
  | 'list'
  | 'table'
  | 'code'
  | 'image'
  | 'page';

export interface PassageMeta {
  type: 'chunk' | 'summary' | 'consolidated' | 'image';
  subtype?: PassageSubtype;
  /** From 1. */
  pageNumber?: number;
  /** Its place among the passages of the file, from 0. */
  position?: number;
  sourceUrl?: string;
}

/** A piece of a file's words. */
export interface FilePassage {
  id: string;
  content: string;
  meta: PassageMeta;
}

/** What `setFilePassages` takes for each passage. */
export interface NewPassage {
  content: string;
  subtype?: PassageSubtype;
  pageNumber?: number;
}

/** Words around a passage that was found. */
export interface PassageContext {
  id?: string;
  text: string;
  /** How many passages away; negative: before. Left out for a title. */
  offset?: number;
  type: 'title' | 'preceding' | 'subsequent';
}

/** A passage that was found. */
export interface FoundPassage {
  content: string;
  /** 0 to 1; higher is better. */
  score: number;
  meta: PassageMeta;
  file: Pick<PlatformFile, 'id' | 'key' | 'contentType' | 'metadata' | 'tags' | 'createdAt' | 'updatedAt'>;
  context?: PassageContext[];
}

/** How many files there are, and their bytes. */
export interface StorageCount {
  count: number;
  bytes: number;
}

/** What the files of a bot take. `vectorDb`: those that are indexed, and the bytes of their words. */
export interface FileStorage {
  files: StorageCount;
  vectorDb: StorageCount;
}

/** A name for files that belong together: those whose tag `kbId` is its id. They must be indexed. */
export interface KnowledgeBase {
  id: string;
  name: string;
  tags: Record<string, string>;
}
