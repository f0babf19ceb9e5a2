// Operations on the text of files: search it, list its passages, and write passages.
import { limits } from '../../../protocol/limits.ts';
import { search } from '../../../protocol/operations/files.ts';
import type { FilePassage } from '../../../protocol/types/files.ts';
import { ApiError } from '../../api/errors.ts';
import { cutPage, decodeCursor, isWhole } from '../../api/pages.ts';
import { isComplete } from '../../storage/files/files.ts';
import { setIndexVersion } from '../../storage/files/indexing.ts';
import { insertPassage, listPassages, type PassageRow } from '../../storage/files/passages.ts';
import { createId } from '../../storage/ids.ts';
import { searchedText } from '../indexing/passages.ts';
import { metaOf, searchFiles } from '../search.ts';
import { existingFile, holdExisting } from './find.ts';
import { handle } from './services.ts';

export const searchHandlers = [
  handle(search.searchFiles, async ({ tx, caller, input, services }) => {
    if (Buffer.byteLength(input.query) > limits.searchQueryBytes) {
      throw new ApiError('InvalidQuery', `query: Expected at most ${limits.searchQueryBytes} bytes.`);
    }
    return { body: { passages: await searchFiles(tx, services.platformFiles, caller, input) } };
  }),

  handle(
    search.listFilePassages,
    async ({ tx, caller, params: { id }, input: { nextToken, pageSize, limit } }) => {
      const size = limit ?? pageSize ?? limits.filesPage;
      const after = decodeCursor('passages', nextToken, isWhole) ?? -1;
      const { indexVersion } = await existingFile(tx, caller, id);
      const found = indexVersion === null ? [] : await listPassages(tx, indexVersion, after + 1, size + 1);
      const { rows, meta } = cutPage('passages', found, size, ({ position }) => position);
      return { body: { passages: rows.map(serializePassage), meta } };
    },
  ),

  handle(
    search.setFilePassages,
    async ({ tx, caller, params: { id }, input, services: { platformFiles, now } }) => {
      await tx.lock(`bot:${caller.botId}`);
      const file = await existingFile(tx, caller, id, 'update');
      await holdExisting(tx, file);
      if (!isComplete(file)) throw new ApiError('RelationConflict', 'The bytes of the file are not there.');
      const indexVersion = createId('version', now());
      let bytes = 0;
      for (const [
        position,
        { content, type = 'paragraph', subtype = type, pageNumber = null },
      ] of input.passages.entries()) {
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
      tx.afterCommit(() => {
        platformFiles.vectors?.add(file.botId, indexVersion);
        platformFiles.onRemoved();
      });
      return { body: {} };
    },
  ),
];

const serializePassage = (row: PassageRow): FilePassage => ({
  id: row.id,
  content: row.content,
  meta: metaOf(row),
});
