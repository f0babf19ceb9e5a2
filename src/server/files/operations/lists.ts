// Operations that list: files, their tags with the values in use, and what they take. Only of what the caller may see.
import * as v from 'valibot';
import { limits } from '../../../protocol/limits.ts';
import { decodeCursor, isText, isWhole } from '../../api/cursor.ts';
import { readPage } from '../../api/page.ts';
import { shortList } from '../../api/pre-validation.ts';
import { queries } from '../../api/query-schemas.ts';
import { schemas } from '../../api/schemas.ts';
import { reading } from '../../operations/operation.ts';
import {
  countStorage,
  listFiles,
  listTagNames,
  listTagValues,
  positionOf,
} from '../../storage/files/file-lists.ts';
import type { FileRow } from '../../storage/files/files.ts';
import { visibleFiles } from '../access.ts';
import { fileSchemas } from '../schemas.ts';
import { tagFilter } from '../search/tag-filter.ts';
import { toPlatformFile } from '../serializers.ts';
import { page, pageQuery } from './pages.ts';

const ids = shortList(schemas.id, limits.filterIds);

/** A sort key of this list: the value that it is sorted by, and the id. */
const isPlace =
  (isByText: boolean) =>
  (key: unknown): key is [string | number, string] =>
    Array.isArray(key) && key.length === 2 && (isByText ? isText(key[0]) : isWhole(key[0])) && isText(key[1]);

export const lists = [
  reading({
    id: 'listFiles',
    method: 'GET',
    path: '',
    summary: 'Lists files, newest first where the caller does not say otherwise.',
    auth: 'bot',
    permission: 'files.list',
    errors: ['InvalidQuery'],
    status: 200,
    query: v.object({
      ...pageQuery.entries,
      sortField: v.exactOptional(v.picklist(['key', 'size', 'createdAt', 'updatedAt', 'status'])),
      sortDirection: v.exactOptional(v.picklist(['asc', 'desc'])),
      tags: v.exactOptional(tagFilter),
      ids: v.exactOptional(
        v.union([
          v.pipe(
            schemas.id,
            v.transform((id) => [id]),
          ),
          ids,
        ]),
      ),
      indexed: v.exactOptional(queries.flag),
    }),
    response: v.object({ files: v.array(fileSchemas.platformFile), meta: schemas.meta }),
    async run({ tx, caller, query, services: { platformFiles }, address }) {
      const { sortField: sort = 'createdAt', sortDirection: direction = 'desc', ids, indexed } = query;
      const kind = `files:${sort}:${direction}`;
      const size = query.pageSize ?? limits.filesPage;
      const filter = { visibleTo: visibleFiles(caller), tags: query.tags, ids, isIndexed: indexed };
      const { rows, meta } = await readPage({
        kind,
        size,
        after: decodeCursor(kind, query.nextToken, isPlace(sort === 'key' || sort === 'status')),
        sortKey: (row: FileRow) => positionOf(row, sort),
        weigh: (row) => row.metadata.length + row.tags.length + row.key.length,
        read: (after, limit) => listFiles(tx, { filter, sort, direction, after, limit }),
      });
      const server = address();
      return {
        body: { files: rows.map((row) => toPlatformFile(row, platformFiles.url(server, row))), meta },
      };
    },
  }),

  reading({
    id: 'listFileTags',
    method: 'GET',
    path: '/tags',
    summary: 'Lists the names of all tags that files have.',
    auth: 'bot',
    permission: 'files.read',
    errors: ['InvalidQuery'],
    status: 200,
    query: pageQuery,
    response: v.object({ tags: v.array(v.string()), meta: schemas.meta }),
    async run({ tx, caller, query }) {
      const { rows, meta } = await page('file-tags', query, (after, limit) =>
        listTagNames(tx, caller.botId, visibleFiles(caller), after, limit),
      );
      return { body: { tags: rows, meta } };
    },
  }),

  reading({
    id: 'listFileTagValues',
    method: 'GET',
    path: '/tags/{tag}/values',
    summary: 'Lists the values that a tag has on files.',
    auth: 'bot',
    permission: 'files.read',
    errors: ['InvalidQuery'],
    status: 200,
    query: pageQuery,
    response: v.object({ values: v.array(v.string()), meta: schemas.meta }),
    async run({ tx, caller, params: { tag = '' }, query }) {
      const { rows, meta } = await page('file-tag-values', query, (after, limit) =>
        listTagValues(tx, caller.botId, tag, visibleFiles(caller), after, limit),
      );
      return { body: { values: rows, meta } };
    },
  }),

  reading({
    id: 'getFileStorage',
    method: 'GET',
    path: '/storage',
    summary:
      'Tells what the files of the bot take, those of its visitors included: `files` all of them, `vectorDb` the ' +
      'indexed ones by the bytes of their words. An integration is told of the files that it may see.',
    auth: 'bot',
    permission: 'files.list',
    errors: [],
    status: 200,
    response: v.object({ storage: fileSchemas.storage }),
    async run({ tx, caller }) {
      const withVisitors = caller.kind !== 'integration';
      return { body: { storage: await countStorage(tx, visibleFiles(caller), withVisitors) } };
    },
  }),
];
