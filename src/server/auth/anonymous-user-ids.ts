// Logs a warning when anonymous callers can claim user ids of an application that signs its own keys.
import type { Logger } from 'pino';
import { anyOwnKeys } from '../storage/bots/bots.ts';
import type { Database } from '../storage/database.ts';

/**
 * Logs a warning when an application knows a secret of user keys, of the server or of a bot. Otherwise only this server
 * signs keys, and an id that a visitor chooses cannot belong to a user of an application.
 */
export async function warnOfAnonymousUserIds(db: Database, logger: Logger, isShared: boolean): Promise<void> {
  if (!isShared && !(await db.read(anyOwnKeys))) return;
  logger.warn(
    'anonymous callers can claim the id of a user before your application signs a key for it; set ANONYMOUS_USER_IDS to refuse',
  );
}
