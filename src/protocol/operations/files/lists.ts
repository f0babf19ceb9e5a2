// Operations of the Files API: lists.
import * as v from 'valibot';
import { limits } from '../../limits.ts';
import { maybe } from '../../schemas/base/described.ts';
import { schemas } from '../../schemas/chat.ts';
import { fileSchemas, fileSortField } from '../../schemas/files.ts';
import { boundedArray } from '../../schemas/pre-validation.ts';
import { queries } from '../../schemas/query.ts';
import { tagFilter } from '../../schemas/tag-filter.ts';
import { operations, query } from '../operation.ts';

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
