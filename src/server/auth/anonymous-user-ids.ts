// The warning of a server where anybody can take the id of a user before the application's own key for it arrives.
import type { Logger } from 'pino';
import { anyOwnKeys } from '../storage/bots/bots.ts';
import type { Database } from '../storage/database.ts';

/**
 * Logs a warning where an application shares a secret of user keys: that of the server, or that of a bot. Without one
 * nobody but this server signs keys, and ids that visitors choose take nothing from anybody.
 */
export async function warnOfAnonymousUserIds(db: Database, logger: Logger, isShared: boolean): Promise<void> {
  if (!isShared && !(await db.read(anyOwnKeys))) return;
  logger.warn(
    'anybody can take the id of a user before your application signs a key for it (ANONYMOUS_USER_IDS=allow); set it to refuse',
  );
}
