// Operations that list files, their tags with values, and their storage. The lists contain only what the caller can
// see.
import { limits } from '../../../protocol/limits.ts';
import { lists } from '../../../protocol/operations/files.ts';
import { isPermitted } from '../../../protocol/permissions.ts';
import { cutPage, decodeCursor, isText, isWhole, readPage } from '../../api/pages.ts';
import {
  countStorage,
  listFiles,
  listTagNames,
  listTagValues,
  positionOf,
} from '../../storage/files/file-lists.ts';
import type { FileRow } from '../../storage/files/files.ts';
import { visibleFiles } from '../access.ts';
import { serializePlatformFile } from '../serializers.ts';
import { handle } from './services.ts';

/** True for a sort key of this list: the value of the sort field, and the id. */
const isFileSortKey =
  (isByText: boolean) =>
  (key: unknown): key is [string | number, string] =>
    Array.isArray(key) && key.length === 2 && (isByText ? isText(key[0]) : isWhole(key[0])) && isText(key[1]);

export const listHandlers = [
  handle(lists.listFiles, async ({ tx, caller, input, services: { platformFiles }, address }) => {
    const { sortField: sort = 'createdAt', sortDirection: direction = 'desc', ids, indexed } = input;
    const kind = `files:${sort}:${direction}`;
    const size = input.pageSize ?? limits.filesPage;
    const filter = { visibleTo: visibleFiles(caller), tags: input.tags, ids, isIndexed: indexed };
    const { rows, meta } = await readPage({
      kind,
      size,
      after: decodeCursor(kind, input.nextToken, isFileSortKey(sort === 'key' || sort === 'status')),
      sortKey: (row: FileRow) => positionOf(row, sort),
      weigh: (row) => row.metadata.length + row.tags.length + row.key.length,
      read: (after, limit) => listFiles(tx, { filter, sort, direction, after, limit }),
    });
    const server = address();
    return {
      body: { files: rows.map((row) => serializePlatformFile(row, platformFiles.url(server, row))), meta },
    };
  }),

  handle(lists.listFileTags, async ({ tx, caller, input }) => {
    const { rows, meta } = await page('file-tags', input, (after, limit) =>
      listTagNames(tx, caller.botId, visibleFiles(caller), after, limit),
    );
    return { body: { tags: rows, meta } };
  }),

  handle(lists.listFileTagValues, async ({ tx, caller, params: { tag }, input }) => {
    const { rows, meta } = await page('file-tag-values', input, (after, limit) =>
      listTagValues(tx, caller.botId, tag, visibleFiles(caller), after, limit),
    );
    return { body: { values: rows, meta } };
  }),

  handle(lists.getFileStorage, async ({ tx, caller, services: { platformFiles } }) => {
    // Bots do not even learn the number of files that the team has in notes.
    const ofMembers = isPermitted(caller.kind, 'inbox.read') ? 'all' : 'chat';
    const inConversations = caller.kind === 'integration' ? 'none' : ofMembers;
    const storage = await countStorage(tx, visibleFiles(caller), inConversations);
    return { body: { storage, semanticSearch: platformFiles.semanticSearch(caller.botId) } };
  }),
];

/** Returns a page of texts, each of which is its own sort key. `read` returns the texts after a given one. */
export async function page(
  kind: string,
  { nextToken, pageSize = limits.filesPage }: { nextToken?: string; pageSize?: number },
  read: (after: string | undefined, limit: number) => Promise<string[]>,
): Promise<{ rows: string[]; meta: { nextToken?: string } }> {
  const found = await read(decodeCursor(kind, nextToken, isText), pageSize + 1);
  return cutPage(kind, found, pageSize, (text) => text);
}
