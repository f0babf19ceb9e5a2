// Routes and methods of the Files API, generated from src/protocol/operations/files by generated.test.ts. Do not edit.
// biome-ignore-all format: generated
// biome-ignore-all assist/source/organizeImports: generated
import type { AnnouncedFile, FilePassage, FileSortField, FileStorage, FoundPassage, KnowledgeBase, NewPassage, PlatformFile, PlatformFileChanges, PlatformFileFields, SemanticSearch } from '../../protocol/types/files.ts';
import type { PageMeta } from '../../protocol/types/query.ts';
import type { TagFilter } from '../../protocol/types/tags.ts';
import type { Arguments, ListArguments } from '../platform/api-client.ts';
import type { Items } from '../core/pages.ts';

export const filesApi = {
  needs: 'botId',
  tokenOnly: [],
  routes: {
    listFiles: 'GET /v1/files',
    listFileTags: 'GET /v1/files/tags',
    listFileTagValues: 'GET /v1/files/tags/{tag}/values',
    getFileStorage: 'GET /v1/files/storage',
    listKnowledgeBases: 'GET /v1/files/knowledge-bases',
    createKnowledgeBase: 'POST /v1/files/knowledge-bases',
    updateKnowledgeBase: 'PUT /v1/files/knowledge-bases/{id}',
    deleteKnowledgeBase: 'DELETE /v1/files/knowledge-bases/{id}',
    searchFiles: 'GET /v1/files/search',
    listFilePassages: 'GET /v1/files/{id}/passages',
    setFilePassages: 'PUT /v1/files/{id}/passages',
    upsertFile: 'PUT /v1/files',
    getFile: 'GET /v1/files/{id}',
    updateFileMetadata: 'PUT /v1/files/{id}',
    deleteFile: 'DELETE /v1/files/{id}',
    copyFile: 'POST /v1/files/{idOrKey}/{destinationKey}',
  },
  /** Operations that list, and the key of the answer that holds the items. */
  lists: {
    listFiles: 'files',
    listFileTags: 'tags',
    listFileTagValues: 'values',
    listKnowledgeBases: 'knowledgeBases',
    listFilePassages: 'passages',
  },
} as const;

/** Every operation of the Files API as a method. */
export interface FilesMethods {
  /** Lists files, newest first by default. */
  listFiles(...args: Arguments<{ nextToken?: string; pageSize?: number; sortField?: FileSortField; sortDirection?: 'asc' | 'desc'; tags?: TagFilter; ids?: string[]; indexed?: boolean }>): Promise<{ files: PlatformFile[]; meta: PageMeta }>;
  /** Lists the names of all tags that files have. */
  listFileTags(...args: Arguments<{ nextToken?: string; pageSize?: number }>): Promise<{ tags: string[]; meta: PageMeta }>;
  /** Lists the values that a tag has on files. */
  listFileTagValues(...args: Arguments<{ tag: string; nextToken?: string; pageSize?: number }>): Promise<{ values: string[]; meta: PageMeta }>;
  /**
   * Returns the storage that the bot uses, including files of its visitors: `files` is the size of all
   * files, `vectorDb` the size of the text of the indexed files. For an integration, only the files that
   * it can see are counted. `semanticSearch` says whether searches find passages by their meaning.
   */
  getFileStorage(...args: Arguments<Record<never, never>>): Promise<{ storage: FileStorage; semanticSearch?: SemanticSearch }>;
  /** Lists the knowledge bases of the bot, newest first; with `tags`, those that match the filter. */
  listKnowledgeBases(...args: Arguments<{ nextToken?: string; pageSize?: number; tags?: TagFilter }>): Promise<{ knowledgeBases: KnowledgeBase[]; meta: PageMeta }>;
  /**
   * Creates a knowledge base. A file belongs to it if it is indexed and its tag `kbId` is the id of the
   * knowledge base.
   */
  createKnowledgeBase(...args: Arguments<{ name: string; tags?: Record<string, string> }>): Promise<{ knowledgeBase: KnowledgeBase }>;
  /** Changes the name or merges tags; null removes a tag. */
  updateKnowledgeBase(...args: Arguments<{ id: string; name?: string; tags?: Record<string, string | null> }>): Promise<{ knowledgeBase: KnowledgeBase }>;
  /** Deletes a knowledge base. Its files stay. */
  deleteKnowledgeBase(...args: Arguments<{ id: string }>): Promise<Record<never, never>>;
  /** Finds the passages of indexed files that match a query, best match first. Any text is a query. */
  searchFiles(...args: Arguments<{ query: string; tags?: TagFilter; limit?: number; contextDepth?: number; withContext?: boolean; includeBreadcrumb?: boolean; consolidate?: boolean }>): Promise<{ passages: FoundPassage[] }>;
  /** Lists the passages of an indexed file, in order. */
  listFilePassages(...args: Arguments<{ id: string; nextToken?: string; pageSize?: number; limit?: number }>): Promise<{ passages: FilePassage[]; meta: PageMeta }>;
  /** Replaces the passages of a file with those of the request. The file is then indexed. */
  setFilePassages(...args: Arguments<{ id: string; passages: NewPassage[] }>): Promise<Record<never, never>>;
  /**
   * Creates the file of a key, or replaces it. Send the bytes to `uploadUrl`, which needs no token: all
   * of them with PUT, or a part with PATCH from the position in Upload-Offset. The previous bytes are
   * deleted immediately; the id does not change.
   */
  upsertFile(...args: Arguments<PlatformFileFields>): Promise<{ file: AnnouncedFile }>;
  /** Returns a file, by its id or its key. */
  getFile(...args: Arguments<{ id: string }>): Promise<{ file: PlatformFile }>;
  /**
   * Changes the properties of a file. Tags and metadata are merged (null removes a key), policies are
   * replaced, and null removes the expiry. `index` indexes the file or removes its index. Omitted fields
   * are unchanged.
   */
  updateFileMetadata(...args: Arguments<{ id: string } & PlatformFileChanges>): Promise<{ file: PlatformFile }>;
  /** Deletes a file, by its id or its key. */
  deleteFile(...args: Arguments<{ id: string }>): Promise<Record<never, never>>;
  /**
   * Copies a complete file to another key, of this bot or of another bot of the workspace. The copy
   * belongs to the caller, is private and does not expire.
   */
  copyFile(...args: Arguments<{ idOrKey: string; destinationKey: string; 'x-destination-bot-id'?: string; overwrite?: boolean }>): Promise<{ file: PlatformFile }>;
}

/** Every list of the Files API as an async iterable over all pages. */
export interface FilesLists {
  /** Lists files, newest first by default. */
  files(...args: ListArguments<{ nextToken?: string; pageSize?: number; sortField?: FileSortField; sortDirection?: 'asc' | 'desc'; tags?: TagFilter; ids?: string[]; indexed?: boolean }>): Items<PlatformFile>;
  /** Lists the names of all tags that files have. */
  fileTags(...args: ListArguments<{ nextToken?: string; pageSize?: number }>): Items<string>;
  /** Lists the values that a tag has on files. */
  fileTagValues(...args: ListArguments<{ tag: string; nextToken?: string; pageSize?: number }>): Items<string>;
  /** Lists the knowledge bases of the bot, newest first; with `tags`, those that match the filter. */
  knowledgeBases(...args: ListArguments<{ nextToken?: string; pageSize?: number; tags?: TagFilter }>): Items<KnowledgeBase>;
  /** Lists the passages of an indexed file, in order. */
  filePassages(...args: ListArguments<{ id: string; nextToken?: string; pageSize?: number; limit?: number }>): Items<FilePassage>;
}
