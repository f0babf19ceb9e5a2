// Operations on one file of the Files API: announce, read, change, delete, copy. upload.ts and download.ts transfer its
// bytes.
import { limits } from '../../../protocol/limits.ts';
import { destinationBot, files } from '../../../protocol/operations/files.ts';
import { ApiError } from '../../api/errors.ts';
import { findBot } from '../../storage/bots/bots.ts';
import type { WriteTx } from '../../storage/database.ts';
import { deleteFile } from '../../storage/files/deletions.ts';
import {
  type FileRow,
  findFile,
  insertFile,
  isComplete,
  replaceFile,
  setTags,
  updateFile,
} from '../../storage/files/files.ts';
import { setIndexed } from '../../storage/files/indexing.ts';
import { findKnowledgeBase } from '../../storage/files/knowledge-bases.ts';
import { createId } from '../../storage/ids.ts';
import { ownerOf, spaceOf } from '../access.ts';
import { declaredType, withCharset } from '../bytes/media-type.ts';
import { announced, mergeMetadata, mergeTags, policyColumns, readExpiry } from '../file-fields.ts';
import { serializePlatformFile } from '../serializers.ts';
import { existingFile, heldFileOfKey, holdExisting } from './find.ts';
import { handle, handleDecorated } from './services.ts';

export const fileHandlers = [
  handle(files.upsertFile, async ({ tx, caller, input, services: { platformFiles, now }, address }) => {
    await tx.lock(`bot:${caller.botId}`);
    const { key, size, index = false } = input;
    if (size > limits.maxFileBytes) {
      throw new ApiError(
        'LimitExceeded',
        `The file has ${size} bytes; at most ${limits.maxFileBytes} are taken.`,
        { limit: limits.maxFileBytes },
      );
    }
    const type = declaredType(input.contentType, key);
    if (type === undefined) throw new ApiError('InvalidPayload', 'contentType: Expected a media type.');
    const tags = mergeTags('{}', input.tags);
    await assertIndexed(tx, caller.botId, tags, index);
    const at = now();
    const found = await heldFileOfKey(tx, caller.botId, spaceOf(caller), key);
    const row: FileRow = {
      ...(found ?? {
        ...ownerOf(caller),
        id: createId('file', at),
        botId: caller.botId,
        key,
        createdAt: at,
      }),
      size,
      contentId: createId('file', at),
      declaredType: withCharset(type, input.contentType),
      contentType: type,
      ...announced(at),
      tags: JSON.stringify(tags),
      metadata: mergeMetadata('{}', input.metadata),
      ...policyColumns(input.accessPolicies),
      isIndexed: index ? 1 : 0,
      expiresAt: readExpiry(input.expiresAt, at),
    };
    if (found) {
      await replaceFile(tx, row);
      tx.afterCommit(platformFiles.onRemoved);
    } else await insertFile(tx, row);
    await setTags(tx, row, tags);
    const file = serializePlatformFile(row, platformFiles.url(address(), row));
    return { body: { file: { ...file, uploadUrl: platformFiles.uploadUrl(address(), row) } } };
  }),

  handle(files.getFile, async ({ tx, caller, params: { id }, services: { platformFiles }, address }) => {
    const file = await existingFile(tx, caller, id);
    return { body: { file: serializePlatformFile(file, platformFiles.url(address(), file)) } };
  }),

  handle(
    files.updateFileMetadata,
    async ({ tx, caller, params: { id }, input, services: { platformFiles, now }, address }) => {
      await tx.lock(`bot:${caller.botId}`);
      const file = await existingFile(tx, caller, id, 'update');
      await holdExisting(tx, file);
      const tags = mergeTags(file.tags, input.tags);
      const isIndexed = input.index ?? file.isIndexed === 1;
      await assertIndexed(tx, file.botId, tags, isIndexed);
      const at = now();
      const changed: FileRow = {
        ...file,
        tags: JSON.stringify(tags),
        metadata: mergeMetadata(file.metadata, input.metadata),
        ...(input.accessPolicies === undefined ? {} : policyColumns(input.accessPolicies)),
        ...(input.expiresAt === undefined ? {} : { expiresAt: readExpiry(input.expiresAt, at) }),
        updatedAt: at,
      };
      await updateFile(tx, file.id, changed);
      await setTags(tx, file, tags);
      if (isIndexed !== (file.isIndexed === 1)) {
        await setIndexed(tx, file.id, isIndexed);
        tx.afterCommit(isIndexed ? platformFiles.onWaiting : platformFiles.onRemoved);
      }
      const stored = (await findFile(tx, file.id)) ?? changed;
      return { body: { file: serializePlatformFile(stored, platformFiles.url(address(), stored)) } };
    },
  ),

  handle(files.deleteFile, async ({ tx, caller, params: { id }, services: { platformFiles } }) => {
    await tx.lock(`bot:${caller.botId}`);
    const file = await existingFile(tx, caller, id, 'delete');
    await deleteFile(tx, file.id);
    await setTags(tx, file, {});
    tx.afterCommit(platformFiles.onRemoved);
    return { body: {} };
  }),

  handleDecorated(
    files.copyFile,
    async ({ tx, caller, params, headers, input: { overwrite = false }, services }) => {
      const { platformFiles, now } = services;
      const { idOrKey = '', destinationKey: key = '' } = params;
      const botId = headers.get(destinationBot) ?? caller.botId;
      await tx.lock(`bot:${caller.botId}`, `bot:${botId}`);
      const file = await existingFile(tx, caller, idOrKey);
      if (!isComplete(file)) throw new ApiError('RelationConflict', 'The bytes of the file are not there.');
      if (key.length > limits.platformFileKey) throw new ApiError('InvalidPayload', 'The key is too long.');
      if (botId !== caller.botId) {
        if (caller.memberId === undefined) {
          throw new ApiError('Forbidden', 'Only members of the workspace copy from bot to bot.');
        }
        if (!(await findBot(tx, caller.workspaceId, botId))) {
          throw new ApiError('ResourceNotFound', 'The destination bot does not exist.');
        }
      }
      const target = { ...caller, botId };
      const at = now();
      // Its bytes are removed only after the copy is stored, which uses them, too.
      await holdExisting(tx, file);
      const found = await heldFileOfKey(tx, botId, spaceOf(target), key);
      if (found && !overwrite) throw new ApiError('AlreadyExists', 'A file with this key exists already.');
      if (found?.id === file.id)
        throw new ApiError('RelationConflict', 'The file cannot be copied onto itself.');
      const row: FileRow = {
        ...file,
        ...(found
          ? { id: found.id, createdAt: found.createdAt, botId, key, ...ownerColumns(found) }
          : { id: createId('file', at), createdAt: at, botId, key, ...ownerOf(target) }),
        status: file.isIndexed ? 'indexing_pending' : 'upload_completed',
        failedReason: null,
        warnings: null,
        ...policyColumns(),
        indexVersion: null,
        expiresAt: null,
        announcedAt: at,
        updatedAt: at,
      };
      if (found) {
        await replaceFile(tx, row);
        tx.afterCommit(platformFiles.onRemoved);
      } else await insertFile(tx, row);
      await setTags(tx, row, JSON.parse(row.tags));
      tx.afterCommit(platformFiles.onWaiting);
      return { body: { file: serializePlatformFile(row, '') }, resource: row.id };
    },
    {
      // The address is a capability: it is created for each response and never stored.
      decorateResponse({ file }, { services, address }) {
        const { id, key } = file;
        return { file: { ...file, url: services.platformFiles.url(address(), { id, key, isPublic: 0 }) } };
      },
    },
  ),
];

const ownerColumns = ({ ownerType, ownerId, ownerName, space }: FileRow) => ({
  ownerType,
  ownerId,
  ownerName,
  space,
});

/** Throws for a file without indexing in a knowledge base, because it would never be ready there. */
async function assertIndexed(
  tx: WriteTx,
  botId: string,
  { kbId }: Record<string, string>,
  isIndexed: boolean,
): Promise<void> {
  if (kbId === undefined || isIndexed) return;
  if (await findKnowledgeBase(tx, botId, kbId)) {
    throw new ApiError('InvalidPayload', 'index: A file of a knowledge base (tag kbId) must be indexed.');
  }
}
