// The cleanup job: removes deleted and expired data in small steps, so that requests do not wait for it.
import type { Logger } from 'pino';
import { limits } from '../../../protocol/limits.ts';
import { sessionIdleTimeMs } from '../../auth/sessions.ts';
import { removeOrphanedContents } from '../../files/index.ts';
import type { Processes } from '../../jobs/processes.ts';
import { invitationLifetimeMs } from '../../storage/chat/invitations.ts';
import { deleteExpiredRows, type ExpiringTable } from '../../storage/delete-rows.ts';
import { hasDeletions, nextDeletion } from '../../storage/deletions.ts';
import { deleteExpiredFiles, expireUploads, hasExpiredFile } from '../../storage/files/deletions.ts';
import { requestLifetimeMs } from '../../storage/idempotency.ts';
import { dayMs } from '../../storage/retention.ts';
import { type DeletionQueueOptions, workOffDeletions } from './deletion-queue.ts';
import { deleteLogs, deleteUnused, type RetentionSettings, retentionDefaults } from './retention.ts';

/** The number of rows, and of files, that one transaction deletes. */
const rowsAtOnce = 1_000;
const filesAtOnce = 100;
/** Milliseconds between two runs. */
const intervalMs = 60 * 60 * 1000;
/**
 * Milliseconds between two checks for expired files, whose expiry has a precision of one minute. Each check also
 * removes deleted content from the write-ahead log, which docs/concepts/security.md promises within five minutes.
 */
const expiryIntervalMs = 60 * 1000;

export interface CleanupJob {
  /** Begins to run, then to remove bytes that a crash has orphaned, and again every hour. */
  start(): void;
  /** Runs until nothing remains. Also called when a conversation, a user or a bot was deleted. */
  run(): Promise<void>;
  /** Runs if something was deleted, or the last run was a minute ago: a call of `run` may have been lost. */
  wake(): void;
  /** Runs, deletes data that is unused for longer than the retention period, and purges the write-ahead log. */
  runAndPurge(): Promise<void>;
  close(): Promise<void>;
}

export interface CleanupOptions extends DeletionQueueOptions {
  logger: Logger;
  now(): number;
  settings: RetentionSettings;
}

export function createCleanupJob(options: CleanupOptions): CleanupJob {
  const { db, store, transcript, logger, now, settings } = options;
  let closed = false;
  let current: Promise<void> | undefined;
  let again = false;
  let isRetentionDue = true;
  const isClosed = () => closed;
  let searching: Promise<void> | undefined;
  let endedAt = 0;
  const timer = setInterval(() => void runWithRetention().then(removeOrphans), intervalMs);
  timer.unref();
  const expiryTimer = setInterval(() => void runIfExpired().then(purge), expiryIntervalMs);
  expiryTimer.unref();

  /** Milliseconds that rows are kept after the time that they contain. */
  const lifetimes: Record<ExpiringTable, number> = {
    requests: requestLifetimeMs,
    invitations: invitationLifetimeMs,
    revoked_user_keys: 0,
    states: 0,
    sessions: sessionIdleTimeMs,
    one_time_links: 0,
    return_links: 0,
    sign_in_attempts: 0,
    deleted_handlings: limits.inbox.changesKept,
    audit_log: settings.AUDIT_RETENTION_DAYS * dayMs,
  };

  async function runIfExpired(): Promise<void> {
    try {
      // Bytes remain in the queue when the store of files did not answer.
      const isDue = await db.read(
        async (tx) =>
          (await hasExpiredFile(tx, now())) || (await nextDeletion(tx, 'file_content')) !== undefined,
      );
      if (isDue) await run();
    } catch (error) {
      if (!closed) logger.error({ err: error }, 'looking for expired files failed');
    }
  }

  async function runIfDeleted(): Promise<void> {
    try {
      if (await db.read(hasDeletions)) await run();
    } catch (error) {
      if (!closed) logger.error({ err: error }, 'looking for deleted data failed');
    }
  }

  /** If a reader such as a backup blocks it, the next check tries again. */
  async function purge(): Promise<void> {
    try {
      if (!closed) await db.purge();
    } catch (error) {
      logger.error({ err: error }, 'purging the write-ahead log failed');
    }
  }

  async function runUntilDone(): Promise<void> {
    try {
      do {
        again = false;
        // Reads whole tables, so it does not run after each deletion.
        if (isRetentionDue) {
          isRetentionDue = false;
          await applyRetention();
        }
        for (const expire of [deleteExpiredFiles, expireUploads]) {
          while (!closed && (await db.write((tx) => expire(tx, now(), filesAtOnce))) > 0);
        }
        await workOffDeletions(options, isClosed);
        for (const [table, lifetime] of Object.entries(lifetimes) as [ExpiringTable, number][]) {
          const time = now() - lifetime;
          while (!closed && (await db.write((tx) => deleteExpiredRows(tx, table, time, rowsAtOnce))) > 0);
        }
      } while (again && !closed);
    } catch (error) {
      logger.error({ err: error }, 'cleaning up failed');
    }
    current = undefined;
    endedAt = performance.now();
  }

  async function applyRetention(): Promise<void> {
    const retention = { db, transcript, now, defaults: retentionDefaults(settings), isClosed };
    for (const [botId, removed] of await deleteUnused(retention))
      logger.info({ botId, removed }, 'data was removed because of its age');
    const entries = await deleteLogs(retention);
    if (entries > 0)
      logger.info({ entries }, 'entries of the logs of bots were removed because of their age');
  }

  /** Nothing waits for it except the end: it can take long. */
  function removeOrphans(): void {
    if (closed) return;
    searching ??= removeOrphanedContents(db, store, isClosed)
      .catch((error: unknown) => logger.error({ err: error }, 'removing orphaned files failed'))
      .finally(() => {
        searching = undefined;
      });
  }

  function runWithRetention(): Promise<void> {
    isRetentionDue = true;
    return run();
  }

  function run(): Promise<void> {
    again = true;
    current ??= runUntilDone();
    return current;
  }

  return {
    start() {
      void run().then(purge).then(removeOrphans);
    },
    run,
    wake() {
      if (performance.now() - endedAt > expiryIntervalMs) void run();
      else void runIfDeleted();
    },
    runAndPurge: () => runWithRetention().then(purge),
    async close() {
      closed = true;
      clearInterval(timer);
      clearInterval(expiryTimer);
      await current;
      await searching;
    },
  };
}

export interface Cleanup {
  /** Must be called after a commit that deletes a conversation, a user, a bot or a file. */
  run(): void;
  /** Removes deleted and unused data, and purges the write-ahead log, if this process does the cleanup. */
  runAndPurge(): Promise<void>;
}

/** The cleanup of a server: one of its processes does it, at the request of any. */
export function createCleanup({ processes, ...options }: CleanupOptions & { processes: Processes }): Cleanup {
  const role = processes.assign('clean up', (db) => createCleanupJob({ ...options, db }));
  return {
    run: processes.broadcasts.everywhere('clean up', () => void role.worker?.run()),
    runAndPurge: async () => role.worker?.runAndPurge(),
  };
}
