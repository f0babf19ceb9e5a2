// Operations of the Files API: files, lists, search and knowledge bases.
import * as v from 'valibot';
import { limits } from '../limits.ts';
import { schemas } from '../schemas/chat.ts';
import { fileSchemas, fileSortField } from '../schemas/files.ts';
import { queries } from '../schemas/query.ts';
import { tagFilter } from '../schemas/tags.ts';
import { boundedArray, filledText, maybe } from '../schemas/values.ts';
import { mutation, operations, query } from './operation.ts';

const ids = boundedArray(schemas.id, limits.filterIds);

export const lists = operations({
  listFiles: query({
    route: 'GET /',
    summary: 'Lists files, newest first by default.',
    auth: 'bot',
    permission: 'files.list',
    errors: ['InvalidQuery'],
    input: v.object({
      ...queries.sizedPage,
      sortField: maybe(fileSortField),
      sortDirection: maybe(v.picklist(['asc', 'desc'])),
      tags: maybe(tagFilter),
      ids: maybe(
        v.union([
          v.pipe(
            schemas.id,
            v.metadata({ clientType: 'string[]' }),
            v.transform((id) => [id]),
          ),
          ids,
        ]),
      ),
      indexed: maybe(queries.flag),
    }),
    output: v.object({ files: v.array(fileSchemas.platformFile), meta: schemas.meta }),
    sample: { tags: { topic: 'returns' }, indexed: true },
    examples: [
      {
        sortField: 'size',
        sortDirection: 'asc',
        tags: { a: { not: 'b', exists: true } },
        ids: ['<<file>>'],
        indexed: true,
        pageSize: 2,
      },
    ],
  }),

  listFileTags: query({
    route: 'GET /tags',
    summary: 'Lists the names of all tags that files have.',
    auth: 'bot',
    permission: 'files.read',
    errors: ['InvalidQuery'],
    input: v.object(queries.sizedPage),
    output: v.object({ tags: v.array(v.string()), meta: schemas.meta }),
  }),

  listFileTagValues: query({
    route: 'GET /tags/{tag}/values',
    summary: 'Lists the values that a tag has on files.',
    auth: 'bot',
    permission: 'files.read',
    errors: ['InvalidQuery'],
    input: v.object(queries.sizedPage),
    output: v.object({ values: v.array(v.string()), meta: schemas.meta }),
    sample: { tag: 'topic' },
    examples: [{ tag: 'a' }],
  }),

  getFileStorage: query({
    route: 'GET /storage',
    summary:
      'Returns the storage that the bot uses, including files of its visitors: `files` is the size of all ' +
      'files, `vectorDb` the size of the text of the indexed files. For an integration, only the files that it ' +
      'can see are counted. `semanticSearch` says whether searches find passages by their meaning.',
    auth: 'bot',
    permission: 'files.list',
    output: v.object({
      storage: fileSchemas.storage,
      semanticSearch: maybe(fileSchemas.semanticSearch),
    }),
  }),
});

const knowledgeBaseResponse = v.object({ knowledgeBase: fileSchemas.knowledgeBase });

export const knowledgeBases = operations({
  listKnowledgeBases: query({
    route: 'GET /knowledge-bases',
    summary: 'Lists the knowledge bases of the bot, newest first; with `tags`, those that match the filter.',
    auth: 'bot',
    permission: 'files.list',
    errors: ['InvalidQuery'],
    input: v.object({ ...queries.sizedPage, tags: maybe(tagFilter) }),
    output: v.object({ knowledgeBases: v.array(fileSchemas.knowledgeBase), meta: schemas.meta }),
    sample: { tags: { language: 'en' } },
    examples: [{ tags: { a: { not: 'b', exists: true } }, pageSize: 2 }],
  }),

  createKnowledgeBase: mutation({
    route: 'POST /knowledge-bases',
    summary:
      'Creates a knowledge base. A file belongs to it if it is indexed and its tag `kbId` is the id of the ' +
      'knowledge base.',
    auth: 'bot',
    permission: 'files.create',
    input: fileSchemas.newKnowledgeBase,
    output: knowledgeBaseResponse,
    sample: { name: 'Help pages', tags: { language: 'en' } },
    examples: [{ name: 'A', tags: { a: 'b' } }],
  }),

  updateKnowledgeBase: mutation({
    route: 'PUT /knowledge-bases/{id}',
    summary: 'Changes the name or merges tags; null removes a tag.',
    auth: 'bot',
    permission: 'files.update',
    errors: ['ResourceNotFound'],
    input: fileSchemas.knowledgeBaseChanges,
    output: knowledgeBaseResponse,
    sample: { id: '<<knowledgeBase>>', name: 'Help pages' },
    examples: [{ id: '<<knowledgeBase>>', name: 'B', tags: { a: null } }],
  }),

  deleteKnowledgeBase: mutation({
    route: 'DELETE /knowledge-bases/{id}',
    summary: 'Deletes a knowledge base. Its files stay.',
    auth: 'bot',
    permission: 'files.delete',
    errors: ['ResourceNotFound'],
    output: schemas.nothing,
    examples: [{ id: '<<knowledgeBase>>' }],
  }),
});

export const search = operations({
  searchFiles: query({
    route: 'GET /search',
    isHeavy: true,
    summary: 'Finds the passages of indexed files that match a query, best match first. Any text is a query.',
    auth: 'bot',
    permission: 'files.search',
    errors: ['InvalidQuery'],
    input: v.object({
      query: filledText,
      tags: maybe(tagFilter),
      limit: maybe(queries.wholeNumber(1, limits.searchResults)),
      contextDepth: maybe(queries.wholeNumber(0, 10)),
      withContext: maybe(queries.flag),
      includeBreadcrumb: maybe(queries.flag),
      consolidate: maybe(queries.flag),
    }),
    output: v.object({ passages: v.array(fileSchemas.foundPassage) }),
    sample: { query: 'How do I return an order?', limit: 3 },
    examples: [
      {
        query: 'hello',
        tags: { a: 'b' },
        limit: 3,
        contextDepth: 2,
        withContext: true,
        includeBreadcrumb: true,
        consolidate: true,
      },
    ],
  }),

  listFilePassages: query({
    route: 'GET /{id}/passages',
    summary: 'Lists the passages of an indexed file, in order.',
    auth: 'bot',
    permission: 'files.read',
    errors: ['ResourceNotFound', 'InvalidQuery'],
    input: v.object({
      nextToken: maybe(v.string()),
      pageSize: maybe(queries.wholeNumber(1, limits.passagesPage)),
      limit: maybe(queries.wholeNumber(1, limits.passagesPage)),
    }),
    output: v.object({ passages: v.array(fileSchemas.passage), meta: schemas.meta }),
    examples: [{ id: '<<file>>', limit: 2 }],
  }),

  setFilePassages: mutation({
    route: 'PUT /{id}/passages',
    summary: 'Replaces the passages of a file with those of the request. The file is then indexed.',
    auth: 'bot',
    permission: 'files.update',
    errors: ['ResourceNotFound', 'RelationConflict'],
    input: fileSchemas.newPassages,
    output: schemas.nothing,
    examples: [{ id: '<<file>>', passages: [{ content: 'Hello', subtype: 'title', pageNumber: 1 }] }],
  }),
});

const fileResponse = v.object({ file: fileSchemas.platformFile });
export const destinationBot = 'x-destination-bot-id';

export const files = operations({
  upsertFile: mutation({
    route: 'PUT /',
    summary:
      'Creates the file of a key, or replaces it. Send the bytes to `uploadUrl`, which needs no token: all of ' +
      'them with PUT, or a part with PATCH from the position in Upload-Offset. The previous bytes are deleted ' +
      'immediately; the id does not change.',
    auth: 'bot',
    permission: 'files.create',
    errors: ['LimitExceeded'],
    input: fileSchemas.fields,
    output: v.object({ file: fileSchemas.announcedFile }),
    sample: {
      key: 'help/returns.md',
      size: 2_048,
      contentType: 'text/markdown',
      index: true,
      tags: { topic: 'returns' },
    },
    examples: [
      {
        key: 'fuzz/<<user>>.md',
        size: 10,
        index: true,
        tags: { a: 'b' },
        metadata: { a: [1, { b: null }] },
        accessPolicies: ['public_content', 'integrations'],
        contentType: 'text/markdown',
      },
    ],
  }),

  getFile: query({
    route: 'GET /{id}',
    summary: 'Returns a file, by its id or its key.',
    auth: 'bot',
    permission: 'files.read',
    errors: ['ResourceNotFound'],
    output: fileResponse,
    examples: [{ id: '<<file>>' }],
  }),

  updateFileMetadata: mutation({
    route: 'PUT /{id}',
    summary:
      'Changes the properties of a file. Tags and metadata are merged (null removes a key), policies are ' +
      'replaced, and null removes the expiry. `index` indexes the file or removes its index. Omitted fields are ' +
      'unchanged.',
    auth: 'bot',
    permission: 'files.update',
    errors: ['ResourceNotFound'],
    input: fileSchemas.changes,
    output: fileResponse,
    sample: { id: '<<file>>', tags: { topic: 'returns', draft: null } },
    examples: [
      {
        id: '<<file>>',
        tags: { a: null, b: 'c' },
        metadata: { a: null },
        accessPolicies: [],
        expiresAt: null,
      },
    ],
  }),

  deleteFile: mutation({
    route: 'DELETE /{id}',
    summary: 'Deletes a file, by its id or its key.',
    auth: 'bot',
    permission: 'files.delete',
    errors: ['ResourceNotFound'],
    output: schemas.nothing,
    examples: [{ id: 'fuzz/<<user>>.md' }],
  }),

  copyFile: mutation({
    route: 'POST /{idOrKey}/{destinationKey}',
    summary:
      'Copies a complete file to another key, of this bot or of another bot of the workspace. The copy belongs ' +
      'to the caller, is private and does not expire.',
    auth: 'bot',
    permission: 'files.create',
    errors: ['ResourceNotFound', 'AlreadyExists', 'RelationConflict'],
    headers: [
      {
        name: destinationBot,
        description: 'The bot that receives the copy, if it is another one. Only for members.',
      },
    ],
    input: v.object({ overwrite: maybe(v.boolean()) }),
    output: fileResponse,
    sample: { idOrKey: '<<file>>', destinationKey: 'help/returns-copy.md' },
    examples: [{ idOrKey: '<<file>>', destinationKey: 'copy-<<user>>', overwrite: true }],
  }),
});

/** Routes with a literal segment come first: `/{id}` would match the segment as a key. */
export const filesOperations = {
  ...lists,
  ...knowledgeBases,
  ...search,
  ...files,
};
