// The words of the Files API: every operation with its method, path, input and output. No behaviour.
import type { Page } from './page.ts';
import type {
  AnnouncedFile,
  FilePassage,
  FileSortField,
  FileStorage,
  FoundPassage,
  KnowledgeBase,
  NewPassage,
  PlatformFile,
  PlatformFileChanges,
  PlatformFileFields,
  TagFilter,
} from './platform-file.ts';

type Empty = Record<never, never>;
/** The id of a file, or its key. */
type Id = { id: string };
type Paged = { nextToken?: string; pageSize?: number };

/** Input (path parameters, then body or query) and output of every operation. */
export interface FileOperations {
  /** Makes or replaces the file of a key; its bytes go to `file.uploadUrl`. */
  upsertFile: [PlatformFileFields, { file: AnnouncedFile }];
  /** Lists files, newest first where the caller does not say otherwise. */
  listFiles: [
    Paged & {
      sortField?: FileSortField;
      sortDirection?: 'asc' | 'desc';
      tags?: TagFilter;
      ids?: string[];
      indexed?: boolean;
    },
    Page<'files', PlatformFile>,
  ];
  /** Gives a file, by its id or its key. */
  getFile: [Id, { file: PlatformFile }];
  /** Changes what is known of a file. Tags and metadata are merged; what is left out stays. */
  updateFileMetadata: [Id & PlatformFileChanges, { file: PlatformFile }];
  /** Deletes a file, by its id or its key. */
  deleteFile: [Id, Empty];
  /** Copies a file under another key, or to another bot of the workspace (header `x-destination-bot-id`). */
  copyFile: [
    { idOrKey: string; destinationKey: string; overwrite?: boolean; 'x-destination-bot-id'?: string },
    { file: PlatformFile },
  ];
  /** Finds the passages of indexed files that fit a query best, best first. Any text is a query. */
  searchFiles: [
    {
      /** At most 1 KB. */
      query: string;
      tags?: TagFilter;
      /** At most 50; 20 when left out. */
      limit?: number;
      /** Passages before and after each that was found, 0 to 10. */
      contextDepth?: number;
      withContext?: boolean;
      includeBreadcrumb?: boolean;
      /** One passage a file. */
      consolidate?: boolean;
    },
    { passages: FoundPassage[] },
  ];
  /** Lists the passages of an indexed file, in their order. `limit` is another word for `pageSize`. */
  listFilePassages: [Id & Paged & { limit?: number }, Page<'passages', FilePassage>];
  /** Replaces the passages of a file by the caller's own. */
  setFilePassages: [Id & { passages: NewPassage[] }, Empty];
  /** Lists the names of all tags that files have. */
  listFileTags: [Paged, Page<'tags', string>];
  /** Lists the values that a tag has on files. */
  listFileTagValues: [Paged & { tag: string }, Page<'values', string>];
  /** Lists the knowledge bases of the bot, newest first. */
  listKnowledgeBases: [Paged, Page<'knowledgeBases', KnowledgeBase>];
  /** Makes a knowledge base. Files belong to it by their tag `kbId`, and must be indexed. */
  createKnowledgeBase: [{ name: string; tags?: Record<string, string> }, { knowledgeBase: KnowledgeBase }];
  /** Changes the name, or merges tags; null takes one away. */
  updateKnowledgeBase: [
    Id & { name?: string; tags?: Record<string, string | null> },
    { knowledgeBase: KnowledgeBase },
  ];
  /** Deletes a knowledge base. Its files stay. */
  deleteKnowledgeBase: [Id, Empty];
  /** Tells what the files of the bot take; an integration is told of those that it may see. */
  getFileStorage: [Empty, { storage: FileStorage }];
}

/** Method and path of every operation. */
export const fileOperations = {
  upsertFile: 'PUT /v1/files',
  listFiles: 'GET /v1/files',
  getFile: 'GET /v1/files/{id}',
  updateFileMetadata: 'PUT /v1/files/{id}',
  deleteFile: 'DELETE /v1/files/{id}',
  copyFile: 'POST /v1/files/{idOrKey}/{destinationKey}',
  searchFiles: 'GET /v1/files/search',
  listFilePassages: 'GET /v1/files/{id}/passages',
  setFilePassages: 'PUT /v1/files/{id}/passages',
  listFileTags: 'GET /v1/files/tags',
  listFileTagValues: 'GET /v1/files/tags/{tag}/values',
  listKnowledgeBases: 'GET /v1/files/knowledge-bases',
  createKnowledgeBase: 'POST /v1/files/knowledge-bases',
  updateKnowledgeBase: 'PUT /v1/files/knowledge-bases/{id}',
  deleteKnowledgeBase: 'DELETE /v1/files/knowledge-bases/{id}',
  getFileStorage: 'GET /v1/files/storage',
} as const satisfies Record<keyof FileOperations, `${'GET' | 'POST' | 'PUT' | 'DELETE'} /${string}`>;
