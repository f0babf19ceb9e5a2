// Operations of the inbox on files: those of replies, which visitors can have, and those of notes, which only the team can
// have. Both belong to the conversation, and are deleted with it.
import { replies } from '../../../protocol/operations/inbox/replies.ts';
import type { Principal } from '../../api/caller.ts';
import { ApiError } from '../../api/errors.ts';
import { serializeFile } from '../../chat/index.ts';
import { announced, assertAllowed, declaredType } from '../../files/index.ts';
import { botById } from '../../storage/bots/bots.ts';
import type { WriteTx } from '../../storage/database.ts';
import { type FileRow, findFile, insertFile, isComplete } from '../../storage/files/files.ts';
import { createId } from '../../storage/ids.ts';
import { answererOf, existingRecord, heldConversation } from './access.ts';
import { handle, handleDecorated, type InboxServices } from './services.ts';

/** Milliseconds until a file that waits for its note is deleted: a day. */
const waitingLifetimeMs = 24 * 60 * 60 * 1000;

interface Announcement {
  ownerType: 'conversation' | 'note';
  conversationId: string;
  input: { key: string; size: number; contentType?: string };
}

/** Stores a file of a member, whose bytes are expected. */
async function announce(
  tx: WriteTx,
  caller: Principal,
  { ownerType, conversationId, input: { key, size, contentType } }: Announcement,
  { fileLimits, now }: InboxServices,
): Promise<FileRow> {
  const conversation = await heldConversation(tx, caller, conversationId);
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
    ownerType,
    ownerId: conversationId,
    ownerName: null,
    space: null,
    key,
    size,
    contentId: fileId,
    declaredType: type,
    contentType: type,
    ...announced(at),
    ...(ownerType === 'note' ? { expiresAt: at + waitingLifetimeMs } : {}),
    createdAt: at,
  };
  await insertFile(tx, row);
  return row;
}

const noteFileOf = ({ id, key, size, contentType }: FileRow) => ({ id, key, size, contentType });

export const fileHandlers = [
  handleDecorated(
    replies.createReplyFile,
    async ({ tx, caller, params: { id }, input, services }) => {
      const announcement = { ownerType: 'conversation', conversationId: id, input } as const;
      const row = await announce(tx, caller, announcement, services);
      const { webhookId = '' } = (await botById(tx, row.botId)) ?? {};
      return { body: { file: serializeFile(row), webhookId }, resource: row.id };
    },
    {
      // The addresses are capabilities: they are created for each response and never stored.
      decorateResponse({ file, webhookId }, { services, address }) {
        const chat = `${address()}/chat/${webhookId}`;
        return { file: { ...file, ...services.files.addresses(chat, file.id, file.key) } };
      },
    },
  ),

  handleDecorated(
    replies.createNoteFile,
    async ({ tx, caller, params: { id }, input, services }) => {
      await existingRecord(tx, caller, id);
      const announcement = { ownerType: 'note', conversationId: id, input } as const;
      const row = await announce(tx, caller, announcement, services);
      return { body: { file: noteFileOf(row) }, resource: row.id };
    },
    {
      decorateResponse: ({ file }, { services, address }) => ({
        file: { ...file, uploadUrl: services.files.noteUploadUrl(address(), file.id) },
      }),
    },
  ),

  handle(replies.getNoteFile, async ({ tx, caller, params: { id, fileId }, services, address }) => {
    await existingRecord(tx, caller, id);
    const file = await findFile(tx, fileId);
    const isThere =
      file?.ownerType === 'note' &&
      file.ownerId === id &&
      isComplete(file) &&
      (file.expiresAt === null || file.expiresAt > services.now());
    if (!isThere) throw new ApiError('ResourceNotFound', 'The conversation has no such file in a note.');
    return {
      body: { file: { ...noteFileOf(file), url: services.files.noteUrl(address(), file, services.now()) } },
    };
  }),
];
