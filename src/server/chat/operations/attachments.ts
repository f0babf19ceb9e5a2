// The operation that announces a file. It takes no byte: those go to the address that it gives.
import * as v from 'valibot';
import { ApiError } from '../../api/errors.ts';
import { schemas } from '../../api/schemas.ts';
import { toFile } from '../../api/serializers.ts';
import { announced, declaredType, isAllowed } from '../../files/index.ts';
import { writing } from '../../operations/operation.ts';
import { type FileRow, insertFile } from '../../storage/files/files.ts';
import { createId } from '../../storage/ids.ts';

export const files = [
  writing({
    id: 'createFile',
    method: 'POST',
    path: '/files',
    summary:
      'Announces a file. Its bytes go to `uploadUrl`, which needs no key: PUT all of them, or PATCH where ' +
      'Upload-Offset says; HEAD tells the offset (a subset of tus 1.0.0).',
    auth: 'user',
    quota: 'messages',
    errors: ['LimitExceeded', 'UnsupportedMediaType', 'QuotaExceeded'],
    status: 201,
    body: schemas.fileFields,
    response: v.object({ file: schemas.newFile }),
    async run({ tx, caller, quota, body: { key, size, contentType }, services: { files, now } }) {
      if (size > files.maxBytes) {
        throw new ApiError(
          'LimitExceeded',
          `The file has ${size} bytes; at most ${files.maxBytes} are taken.`,
          { limit: files.maxBytes },
        );
      }
      const type = declaredType(contentType, key);
      if (type === undefined) throw new ApiError('InvalidPayload', 'contentType: Expected a media type.');
      if (!isAllowed(type, files.types)) {
        throw new ApiError(
          'UnsupportedMediaType',
          `Files of type ${type} are not taken; allowed are ${files.types.join(', ')}.`,
          { allowed: [...files.types] },
        );
      }
      const { id: userId, botId } = caller.user;
      await quota.send(tx, 'file', { userId, botId }, size);
      const at = now();
      const id = createId('file');
      const row: FileRow = {
        id,
        botId: caller.user.botId,
        ownerType: 'visitor',
        ownerId: caller.user.id,
        ownerName: null,
        space: null,
        key,
        size,
        contentId: id,
        declaredType: type,
        contentType: type,
        ...announced(at),
        createdAt: at,
      };
      await insertFile(tx, row);
      return { body: { file: toFile(row) }, resource: row.id };
    },
    // The addresses are capabilities: made anew for every answer, and not kept anywhere.
    finish({ file }, { services, address }) {
      const { id, key } = file as { id: string; key: string };
      return { file: { ...(file as object), ...services.files.addresses(address(), id, key) } };
    },
  }),
];
