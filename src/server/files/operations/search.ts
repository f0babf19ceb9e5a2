// Operations on the words of files: searched, listed, and written by the caller.
import * as v from 'valibot';
import { limits } from '../../../protocol/limits.ts';
import type { FilePassage } from '../../../protocol/platform-file.ts';
import { cutPage, decodeCursor, isWhole } from '../../api/cursor.ts';
import { ApiError } from '../../api/errors.ts';
import { queries } from '../../api/query-schemas.ts';
import { schemas } from '../../api/schemas.ts';
import { reading, writing } from '../../operations/operation.ts';
import { isComplete } from '../../storage/files/files.ts';
import { setIndexVersion } from '../../storage/files/indexing.ts';
import { insertPassage, listPassages, type PassageRow } from '../../storage/files/passages.ts';
import { createId } from '../../storage/ids.ts';
import { searchedText } from '../indexing/indexer.ts';
import { fileSchemas } from '../schemas.ts';
import { metaOf, searchFiles } from '../search/search.ts';
import { tagFilter } from '../search/tag-filter.ts';
import { existingFile } from './find.ts';

const maybe = v.exactOptional;

export const search = [
  reading({
    id: 'searchFiles',
    method: 'GET',
    path: '/search',
    summary: 'Finds the passages of indexed files that fit a query best, best first. Any text is a query.',
    auth: 'bot',
    permission: 'files.search',
    errors: ['InvalidQuery'],
    status: 200,
    query: v.object({
      query: v.pipe(v.string(), v.nonEmpty('Expected a text that is not empty.')),
      tags: maybe(tagFilter),
      limit: maybe(queries.wholeNumber(1, limits.searchResults)),
      contextDepth: maybe(queries.wholeNumber(0, 10)),
      withContext: maybe(queries.flag),
      includeBreadcrumb: maybe(queries.flag),
      consolidate: maybe(queries.flag),
    }),
    response: v.object({ passages: v.array(fileSchemas.foundPassage) }),
    async run({ tx, caller, query, services }) {
      if (Buffer.byteLength(query.query) > limits.searchQueryBytes) {
        throw new ApiError('InvalidQuery', `query: Expected at most ${limits.searchQueryBytes} bytes.`);
      }
      return { body: { passages: await searchFiles(tx, services.platformFiles.passages, caller, query) } };
    },
  }),

  reading({
    id: 'listFilePassages',
    method: 'GET',
    path: '/{id}/passages',
    summary: 'Lists the passages of an indexed file, in their order.',
    auth: 'bot',
    permission: 'files.read',
    errors: ['ResourceNotFound', 'InvalidQuery'],
    status: 200,
    query: v.object({
      nextToken: maybe(v.string()),
      pageSize: maybe(queries.wholeNumber(1, limits.passagesPage)),
      limit: maybe(queries.wholeNumber(1, limits.passagesPage)),
    }),
    response: v.object({ passages: v.array(fileSchemas.passage), meta: schemas.meta }),
    async run({ tx, caller, params: { id = '' }, query: { nextToken, pageSize, limit } }) {
      const size = limit ?? pageSize ?? limits.filesPage;
      const after = decodeCursor('passages', nextToken, isWhole) ?? -1;
      const { indexVersion } = await existingFile(tx, caller, id);
      const found = indexVersion === null ? [] : await listPassages(tx, indexVersion, after + 1, size + 1);
      const { rows, meta } = cutPage('passages', found, size, ({ position }) => position);
      return { body: { passages: rows.map(toPassage), meta } };
    },
  }),

  writing({
    id: 'setFilePassages',
    method: 'PUT',
    path: '/{id}/passages',
    summary:
      'Puts the passages of the caller in place of those of the file, which is indexed with them at once.',
    auth: 'bot',
    permission: 'files.update',
    errors: ['ResourceNotFound', 'RelationConflict'],
    status: 200,
    body: fileSchemas.newPassages,
    response: schemas.nothing,
    async run({ tx, caller, params: { id = '' }, body, services: { platformFiles, now } }) {
      const file = await existingFile(tx, caller, id, 'update');
      if (!isComplete(file)) throw new ApiError('RelationConflict', 'The bytes of the file are not there.');
      const indexVersion = createId('version', now());
      let bytes = 0;
      for (const [
        position,
        { content, subtype = 'paragraph', pageNumber = null },
      ] of body.passages.entries()) {
        const row = {
          id: createId('passage', now()),
          indexVersion,
          position,
          subtype,
          breadcrumb: '',
          content,
        };
        const seq = await insertPassage(tx, { ...row, page: pageNumber });
        await platformFiles.passages.add(tx, file.botId, { seq, text: searchedText(row) });
        bytes += Buffer.byteLength(content);
      }
      await setIndexVersion(tx, file.id, indexVersion, bytes, now());
      tx.afterCommit(platformFiles.onRemoved);
      return { body: {} };
    },
  }),
];

const toPassage = (row: PassageRow): FilePassage => ({ id: row.id, content: row.content, meta: metaOf(row) });
