// The operation that announces a file of a reply. It belongs to the conversation, and is deleted with it.
import { replies } from '../../../protocol/operations/inbox/replies.ts';
import { ApiError } from '../../api/errors.ts';
import { serializeFile } from '../../api/serializers.ts';
import { announced, assertAllowed, declaredType } from '../../files/index.ts';
import { botById } from '../../storage/bots/bots.ts';
import { type FileRow, insertFile } from '../../storage/files/files.ts';
import { createId } from '../../storage/ids.ts';
import { answererOf, heldConversation } from './access.ts';
import { handleDecorated } from './services.ts';

export const replyFileHandlers = [
  handleDecorated(
    replies.createReplyFile,
    async ({ tx, caller, params: { id }, input: { key, size, contentType }, services }) => {
      const { fileLimits, now } = services;
      const conversation = await heldConversation(tx, caller, id);
      await answererOf(tx, caller);
      const { maxBytes } = fileLimits;
      if (size > maxBytes)
        throw new ApiError(
          'LimitExceeded',
          `The file has ${size} bytes, which exceeds the limit of ${maxBytes} bytes.`,
          { limit: maxBytes },
        );
      const type = declaredType(contentType, key);
      if (type === undefined) throw new ApiError('InvalidPayload', 'contentType: Expected a media type.');
      assertAllowed(type, fileLimits);
      const at = now();
      const fileId = createId('file');
      const row: FileRow = {
        id: fileId,
        botId: conversation.botId,
        ownerType: 'conversation',
        ownerId: id,
        ownerName: null,
        space: null,
        key,
        size,
        contentId: fileId,
        declaredType: type,
        contentType: type,
        ...announced(at),
        createdAt: at,
      };
      await insertFile(tx, row);
      const { webhookId = '' } = (await botById(tx, conversation.botId)) ?? {};
      return { body: { file: serializeFile(row), webhookId }, resource: fileId };
    },
    {
      // The addresses are capabilities: they are created for each response and never stored.
      decorateResponse({ file, webhookId }, { services, address }) {
        const chat = `${address()}/chat/${webhookId}`;
        return { file: { ...file, ...services.files.addresses(chat, file.id, file.key) } };
      },
    },
  ),
];
