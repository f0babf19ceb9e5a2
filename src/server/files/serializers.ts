// The rules for the fields of a file of the Files API: which values are allowed, how changes merge, how it is
// serialized. No SQL here.
import type { AccessPolicy, PlatformFile, PlatformFileStatus } from '../../protocol/file.ts';
import { limits } from '../../protocol/limits.ts';
import { ApiError } from '../api/errors.ts';
import { type FileRow, isComplete } from '../storage/files/files.ts';
import { fileName } from './bytes/name.ts';

const minuteMs = 60_000;

/** The initial fields of a file: it is pending, private, and without known properties. */
export const announced = (at: number) =>
  ({
    status: 'upload_pending',
    failedReason: null,
    tags: '{}',
    metadata: '{}',
    isPublic: 0,
    forIntegrations: 0,
    isIndexed: 0,
    indexVersion: null,
    expiresAt: null,
    announcedAt: at,
    updatedAt: at,
  }) satisfies Partial<FileRow>;

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
    ...(row.expiresAt === null ? {} : { expiresAt: timestamp(row.expiresAt) }),
    owner: {
      type: ownerType as 'bot' | 'integration' | 'user',
      ...(ownerId === null ? {} : { id: ownerId }),
      ...(ownerName === null ? {} : { name: ownerName, alias: ownerName }),
    },
  };
}

/** What a file is called for readers: the title of its metadata, otherwise its name. */
export function fileTitle({ key, metadata }: Pick<FileRow, 'key' | 'metadata'>): string {
  const { title } = JSON.parse(metadata) as { title?: unknown };
  return typeof title === 'string' && title.trim() !== '' ? title : fileName(key);
}

/** Returns the columns that store the policies. */
export function policyColumns(
  policies: readonly AccessPolicy[] = [],
): Pick<FileRow, 'isPublic' | 'forIntegrations'> {
  return {
    isPublic: policies.includes('public_content') ? 1 : 0,
    forIntegrations: policies.includes('integrations') ? 1 : 0,
  };
}

/**
 * Returns when a file expires, at the end of its minute. Throws InvalidPayload for a time in the past, or more than 90
 * days in the future.
 */
export function readExpiry(text: string | null | undefined, now: number): number | null {
  if (text === undefined || text === null) return null;
  const time = Date.parse(text);
  if (!(time > now)) throw new ApiError('InvalidPayload', 'expiresAt: Expected a time to come.');
  if (time - now > limits.fileExpiryDays * 24 * 60 * minuteMs) {
    throw new ApiError(
      'InvalidPayload',
      `expiresAt: Expected at most ${limits.fileExpiryDays} days from now.`,
    );
  }
  return Math.ceil(time / minuteMs) * minuteMs;
}

/** Returns the tags with changes applied; null removes a tag. Throws InvalidPayload when there are too many. */
export function mergeTags(
  stored: string,
  changes: Record<string, string | null> | undefined,
): Record<string, string> {
  const merged = merge(JSON.parse(stored), changes) as Record<string, string>;
  if (Object.keys(merged).length > limits.fileTags) {
    throw new ApiError('InvalidPayload', `tags: A file has at most ${limits.fileTags}.`);
  }
  return merged;
}

/** Returns the metadata with changes applied, as JSON. Throws InvalidPayload when it is too large. */
export function mergeMetadata(stored: string, changes: Record<string, unknown> | undefined): string {
  const text = JSON.stringify(merge(JSON.parse(stored), changes));
  const bytes = Buffer.byteLength(text);
  if (bytes > limits.fileMetadataBytes) {
    throw new ApiError(
      'InvalidPayload',
      `metadata has ${bytes} bytes; at most ${limits.fileMetadataBytes} are taken.`,
    );
  }
  return text;
}

function merge(stored: object, changes: Record<string, unknown> = {}): Record<string, unknown> {
  // From entries, so that a key of any name (such as `__proto__`) is an ordinary key.
  return Object.fromEntries(
    [...new Map([...Object.entries(stored), ...Object.entries(changes)])].filter(
      ([, value]) => value !== null,
    ),
  );
}

export const timestamp = (milliseconds: number): string => new Date(milliseconds).toISOString();
