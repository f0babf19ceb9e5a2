// The operation that announces an attachment. It returns the address that the client uploads the bytes to.
import { attachments } from '../../../protocol/operations/chat/messages.ts';
import { ApiError } from '../../api/errors.ts';
import { announced, assertAllowed, declaredType } from '../../files/index.ts';
import { type FileRow, insertFile } from '../../storage/files/files.ts';
import { createId } from '../../storage/ids.ts';
import { serializeFile } from '../serializers.ts';
import { handleDecorated } from './services.ts';

function typeOf(contentType: string | undefined, key: string): string {
  const type = declaredType(contentType, key);
  if (type === undefined) throw new ApiError('InvalidPayload', 'contentType: Expected a media type.');
  return type;
}

export const attachmentHandlers = [
  handleDecorated(
    attachments.createFile,
    async ({ tx, caller, quota, input: { key, size, contentType }, services: { now } }) => {
      const type = typeOf(contentType, key);
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
      async beforeTransaction({ chat, input: { key, size, contentType }, services: { configurations } }) {
        const { fileLimits } = await configurations.webchat(chat.bot);
        const { maxBytes } = fileLimits;
        if (size > maxBytes) {
          throw new ApiError(
            'LimitExceeded',
            `The file has ${size} bytes, which exceeds the limit of ${maxBytes} bytes.`,
            { limit: maxBytes },
          );
        }
        assertAllowed(typeOf(contentType, key), fileLimits);
      },
      // The addresses are capabilities: they are created for each response and never stored.
      decorateResponse({ file }, { services, address }) {
        return { file: { ...file, ...services.files.addresses(address(), file.id, file.key) } };
      },
    },
  ),
];
