// The operation that announces an attachment. It returns the address that the client uploads the bytes to.

import { attachments } from '../../../protocol/operations/chat/attachments.ts';
import { ApiError } from '../../api/errors.ts';
import { serializeFile } from '../../api/serializers.ts';
import { announced, declaredType, isAllowed } from '../../files/index.ts';
import { type FileRow, insertFile } from '../../storage/files/files.ts';
import { createId } from '../../storage/ids.ts';
import { handleDecorated } from './services.ts';

export const attachmentHandlers = [
  handleDecorated(
    attachments.createFile,
    async ({ tx, caller, quota, input: { key, size, contentType }, services: { files, now } }) => {
      if (size > files.maxBytes) {
        throw new ApiError(
          'LimitExceeded',
          `The file has ${size} bytes, which exceeds the limit of ${files.maxBytes} bytes.`,
          { limit: files.maxBytes },
        );
      }
      const type = declaredType(contentType, key);
      if (type === undefined) throw new ApiError('InvalidPayload', 'contentType: Expected a media type.');
      if (!isAllowed(type, files.types)) {
        throw new ApiError(
          'UnsupportedMediaType',
          `Files of type ${type} are not allowed. Allowed types: ${files.types.join(', ')}.`,
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
      return { body: { file: serializeFile(row) }, resource: row.id };
    },
    {
      // The addresses are capabilities: they are created for each response and never stored.
      decorateResponse({ file }, { services, address }) {
        return { file: { ...file, ...services.files.addresses(address(), file.id, file.key) } };
      },
    },
  ),
];
