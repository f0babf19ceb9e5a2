// Operations of the Files API: search.
import * as v from 'valibot';
import { limits } from '../../limits.ts';
import { maybe } from '../../schemas/base/described.ts';
import { filledText } from '../../schemas/base/values.ts';
import { schemas } from '../../schemas/chat.ts';
import { fileSchemas } from '../../schemas/files.ts';
import { queries } from '../../schemas/query.ts';
import { tagFilter } from '../../schemas/tag-filter.ts';
import { mutation, operations, query } from '../operation.ts';

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
