// The rules for the fields of a file of the Files API: which values are allowed, and how changes merge.
import { limits } from '../../protocol/limits.ts';
import type { AccessPolicy } from '../../protocol/types/files.ts';
import { ApiError } from '../api/errors.ts';
import type { FileRow } from '../storage/files/files.ts';

const minuteMs = 60_000;

/** The initial fields of a file: it is pending, private, and without known properties. */
export const announced = (at: number) =>
  ({
    status: 'upload_pending',
    failedReason: null,
    warnings: null,
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
