// Serializes files for the Files API.
import type { PlatformFile, PlatformFileStatus } from '../../protocol/types/files.ts';
import { timestamp } from '../api/serializers.ts';
import { type FileRow, isComplete } from '../storage/files/files.ts';
import { fileName } from './bytes/name.ts';

/** Serializes a file for the Files API. */
export function serializePlatformFile(row: FileRow, url: string): PlatformFile {
  const { ownerType, ownerId, ownerName } = row;
  return {
    id: row.id,
    botId: row.botId,
    key: row.key,
    url,
    size: isComplete(row) ? row.size : null,
    contentType: row.contentType,
    tags: JSON.parse(row.tags) as Record<string, string>,
    metadata: JSON.parse(row.metadata) as Record<string, unknown>,
    createdAt: timestamp(row.createdAt),
    updatedAt: timestamp(row.updatedAt),
    accessPolicies: [
      ...(row.isPublic ? (['public_content'] as const) : []),
      ...(row.forIntegrations ? (['integrations'] as const) : []),
    ],
    index: row.isIndexed === 1,
    status: row.status as PlatformFileStatus,
    ...(row.failedReason === null ? {} : { failedStatusReason: row.failedReason }),
    ...(row.warnings === null ? {} : { warnings: JSON.parse(row.warnings) as string[] }),
    ...(row.expiresAt === null ? {} : { expiresAt: timestamp(row.expiresAt) }),
    owner: {
      type: ownerType as 'bot' | 'integration' | 'user',
      ...(ownerId === null ? {} : { id: ownerId }),
      ...(ownerName === null ? {} : { name: ownerName, alias: ownerName }),
    },
  };
}

/** The name of a file for readers: the title of its metadata, otherwise its name. */
export function fileTitle({ key, metadata }: Pick<FileRow, 'key' | 'metadata'>): string {
  const { title } = JSON.parse(metadata) as { title?: unknown };
  return typeof title === 'string' && title.trim() !== '' ? title : fileName(key);
}
