// Operations on one file of the platform: announced, told, changed, deleted, copied. Its bytes go another way.
import * as v from 'valibot';
import { limits } from '../../../protocol/limits.ts';
import type { PlatformFile } from '../../../protocol/platform-file.ts';
import { ApiError } from '../../api/errors.ts';
import { schemas } from '../../api/schemas.ts';
import { reading, writing } from '../../operations/operation.ts';
import { findBot } from '../../storage/bots/bots.ts';
import type { WriteTx } from '../../storage/database.ts';
import { deleteFile } from '../../storage/files/deletions.ts';
import {
  type FileRow,
  fileOfKey,
  insertFile,
  isComplete,
  replaceFile,
  setTags,
  updateFile,
} from '../../storage/files/files.ts';
import { findKnowledgeBase } from '../../storage/files/knowledge-bases.ts';
import { redactResponses } from '../../storage/idempotency.ts';
import { createId } from '../../storage/ids.ts';
import { ownerOf, spaceOf } from '../access.ts';
import { declaredType } from '../bytes/media-type.ts';
import { fileSchemas } from '../schemas.ts';
import {
  announced,
  mergeMetadata,
  mergeTags,
  policyColumns,
  readExpiry,
  toPlatformFile,
} from '../serializers.ts';
import { existingFile } from './find.ts';

const response = v.object({ file: fileSchemas.platformFile });
const destinationBot = 'x-destination-bot-id';

export const files = [
  writing({
    id: 'upsertFile',
    method: 'PUT',
    path: '',
    summary:
      'Makes or replaces the file of a key. Its bytes go to `uploadUrl`, which needs no token: PUT all of them, or ' +
      'PATCH where Upload-Offset says. The bytes that were there are deleted at once; the id stays.',
    auth: 'bot',
    permission: 'files.create',
    errors: ['LimitExceeded'],
    status: 200,
    body: fileSchemas.fields,
    response: v.object({ file: fileSchemas.announcedFile }),
    async run({ tx, caller, body, services: { platformFiles, now }, address }) {
      const { key, size, index = false } = body;
      if (size > limits.maxFileBytes) {
        throw new ApiError(
          'LimitExceeded',
          `The file has ${size} bytes; at most ${limits.maxFileBytes} are taken.`,
          { limit: limits.maxFileBytes },
        );
      }
      const type = declaredType(body.contentType, key);
      if (type === undefined) throw new ApiError('InvalidPayload', 'contentType: Expected a media type.');
      const tags = mergeTags('{}', body.tags);
      await assertIndexed(tx, caller.botId, tags, index);
      const at = now();
      const found = await fileOfKey(tx, caller.botId, spaceOf(caller), key);
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
        declaredType: type,
        contentType: type,
        ...announced(at),
        tags: JSON.stringify(tags),
        metadata: mergeMetadata('{}', body.metadata),
        ...policyColumns(body.accessPolicies),
        isIndexed: index ? 1 : 0,
        expiresAt: readExpiry(body.expiresAt, at),
      };
      if (found) {
        await replaceFile(tx, row);
        tx.afterCommit(platformFiles.onRemoved);
      } else await insertFile(tx, row);
      await setTags(tx, row, tags);
      const file = toPlatformFile(row, platformFiles.url(address(), row));
      return { body: { file: { ...file, uploadUrl: platformFiles.uploadUrl(address(), row) } } };
    },
  }),

  reading({
    id: 'getFile',
    method: 'GET',
    path: '/{id}',
    summary: 'Gives a file, by its id or its key.',
    auth: 'bot',
    permission: 'files.read',
    errors: ['ResourceNotFound'],
    status: 200,
    response,
    async run({ tx, caller, params: { id = '' }, services: { platformFiles }, address }) {
      const file = await existingFile(tx, caller, id);
      return { body: { file: toPlatformFile(file, platformFiles.url(address(), file)) } };
    },
  }),

  writing({
    id: 'updateFileMetadata',
    method: 'PUT',
    path: '/{id}',
    summary:
      'Changes what is known of a file. Tags and metadata are merged, null takes a key away; policies are replaced; ' +
      'null takes the expiry away. What is left out stays.',
    auth: 'bot',
    permission: 'files.update',
    errors: ['ResourceNotFound'],
    status: 200,
    body: fileSchemas.changes,
    response,
    async run({ tx, caller, params: { id = '' }, body, services: { platformFiles, now }, address }) {
      const file = await existingFile(tx, caller, id, 'update');
      const tags = mergeTags(file.tags, body.tags);
      await assertIndexed(tx, file.botId, tags, file.isIndexed === 1);
      const at = now();
      const changed: FileRow = {
        ...file,
        tags: JSON.stringify(tags),
        metadata: mergeMetadata(file.metadata, body.metadata),
        ...(body.accessPolicies === undefined ? {} : policyColumns(body.accessPolicies)),
        ...(body.expiresAt === undefined ? {} : { expiresAt: readExpiry(body.expiresAt, at) }),
        updatedAt: at,
      };
      await updateFile(tx, file.id, changed);
      await setTags(tx, file, tags);
      return { body: { file: toPlatformFile(changed, platformFiles.url(address(), changed)) } };
    },
  }),

  writing({
    id: 'deleteFile',
    method: 'DELETE',
    path: '/{id}',
    summary: 'Deletes a file, by its id or its key.',
    auth: 'bot',
    permission: 'files.delete',
    errors: ['ResourceNotFound'],
    status: 200,
    response: schemas.nothing,
    async run({ tx, caller, params: { id = '' }, services: { platformFiles } }) {
      const file = await existingFile(tx, caller, id, 'delete');
      await deleteFile(tx, file.id);
      await redactResponses(tx, file.id);
      await setTags(tx, file, {});
      tx.afterCommit(platformFiles.onRemoved);
      return { body: {} };
    },
  }),

  writing({
    id: 'copyFile',
    method: 'POST',
    path: '/{idOrKey}/{destinationKey}',
    summary:
      'Copies a complete file under another key, of this bot or of another one of the workspace. The copy belongs to ' +
      'the caller, is private and does not expire.',
    auth: 'bot',
    permission: 'files.create',
    errors: ['ResourceNotFound', 'AlreadyExists', 'RelationConflict'],
    status: 200,
    headers: [{ name: destinationBot, description: 'The bot that gets the copy, if another. Of members.' }],
    body: v.object({ overwrite: v.exactOptional(v.boolean()) }),
    response,
    async run({ tx, caller, params, headers, body: { overwrite = false }, services }) {
      const { platformFiles, now } = services;
      const { idOrKey = '', destinationKey: key = '' } = params;
      const file = await existingFile(tx, caller, idOrKey);
      if (!isComplete(file)) throw new ApiError('RelationConflict', 'The bytes of the file are not there.');
      if (key.length > limits.platformFileKey) throw new ApiError('InvalidPayload', 'The key is too long.');
      const botId = headers.get(destinationBot) ?? caller.botId;
      if (botId !== caller.botId) {
        if (caller.memberId === undefined) {
          throw new ApiError('Forbidden', 'Only members of the workspace copy from bot to bot.');
        }
        if (!(await findBot(tx, caller.workspaceId, botId))) {
          throw new ApiError('ResourceNotFound', 'The destination bot does not exist.');
        }
      }
      const there = { ...caller, botId };
      const at = now();
      const found = await fileOfKey(tx, botId, spaceOf(there), key);
      if (found && !overwrite) throw new ApiError('AlreadyExists', 'A file with this key exists already.');
      if (found?.id === file.id)
        throw new ApiError('RelationConflict', 'The file cannot be copied onto itself.');
      const row: FileRow = {
        ...file,
        ...(found
          ? { id: found.id, createdAt: found.createdAt, botId, key, ...ownerColumns(found) }
          : { id: createId('file', at), createdAt: at, botId, key, ...ownerOf(there) }),
        status: file.isIndexed ? 'indexing_pending' : 'upload_completed',
        failedReason: null,
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
      return { body: { file: toPlatformFile(row, '') }, resource: row.id };
    },
    // The address is a capability: made anew for every answer, and not kept anywhere.
    finish({ file }, { services, address }) {
      const { id, key } = file as PlatformFile;
      return {
        file: { ...(file as object), url: services.platformFiles.url(address(), { id, key, isPublic: 0 }) },
      };
    },
  }),
];

const ownerColumns = ({ ownerType, ownerId, ownerName, space }: FileRow) => ({
  ownerType,
  ownerId,
  ownerName,
  space,
});

/** A file of a knowledge base that is not indexed would never be ready there. */
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
