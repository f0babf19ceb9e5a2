// Rows for tests of the storage of files.
import type { FileRow } from './files.ts';

/** The row of an indexed file of a bot, for tests of the storage. */
export const storedFile = (botId: string, id: string): FileRow => ({
  id,
  botId,
  ownerType: 'bot',
  ownerId: botId,
  ownerName: null,
  space: 'bot',
  key: id,
  size: 1,
  contentId: id,
  declaredType: 'text/plain',
  contentType: 'text/plain',
  status: 'upload_completed',
  failedReason: null,
  warnings: null,
  tags: '{}',
  metadata: '{}',
  isPublic: 0,
  forIntegrations: 0,
  isIndexed: 1,
  indexVersion: null,
  expiresAt: null,
  announcedAt: 1,
  createdAt: 1,
  updatedAt: 1,
});
