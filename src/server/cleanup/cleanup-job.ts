// Sweeps out what is past its time, in small steps so that nobody waits for it. It deletes nothing that can be seen.
import type { Logger } from 'pino';
import { botLogLifetime, sweepBots } from '../bots/index.ts';
import type { Transcript } from '../chat/index.ts';
import { sweepUserDeletions } from '../chat/index.ts';
import type { FileStore, PassageIndex } from '../files/index.ts';
import { sweepFiles, sweepOrphans } from '../files/index.ts';
import { deleteOldAuditEntries } from '../storage/admin/audit.ts';
import { deleteExpiredKeys } from '../storage/auth/user-keys.ts';
import { deleteOldBotLogs } from '../storage/bots/bot-logs.ts';
import { deleteOldDeadLetters } from '../storage/bots/deliveries.ts';
import { sweepGraves } from '../storage/chat/conversations.ts';
import { deleteOldInvitations } from '../storage/chat/invitations.ts';
import type { Database } from '../storage/database.ts';
import { anyExpired } from '../storage/files/deletions.ts';
import { deleteOldRequests } from '../storage/idempotency.ts';
import { sweepRetention } from './retention.ts';

/** Rows in one step. */
const step = 1_000;
/** Milliseconds between two rounds. */
const interval = 60 * 60 * 1000;
/**
 * Milliseconds between two looks for files whose time is over: they say so to the minute. Then deleted words also leave
 * the write-ahead log, which docs/concepts/security.md promises within five minutes.
 */
const look = 60 * 1000;

export interface Sweeper {
  /** Looks once for files that a crash has orphaned, then sweeps. */
  start(): Promise<void>;
  /** Sweeps until nothing is left; also called when a conversation, a user or a bot was deleted. */
  sweep(): Promise<void>;
  /** Sweeps, and takes what was deleted out of the write-ahead log. */
  sweepAndPurge(): Promise<void>;
  close(): Promise<void>;
}

export interface SweeperOptions {
  db: Database;
  store: FileStore;
  passages: PassageIndex;
  transcript: Transcript;
  logger: Logger;
  now(): number;
  /** Days after which unused conversations are deleted; 0: never. */
  retentionDays: number;
  /** Milliseconds that entries of the audit trail are kept. */
  auditLifetime: number;
}

export function createSweeper(options: SweeperOptions): Sweeper {
  const { db, store, passages, transcript, logger, now, auditLifetime, retentionDays } = options;
  let closed = false;
  let round: Promise<void> | undefined;
  let again = false;
  let isRetentionDue = true;
  const timer = setInterval(() => void sweepAll(), interval);
  timer.unref();
  const looks = setInterval(() => void sweepExpired().then(purge), look);
  looks.unref();

  async function sweepExpired(): Promise<void> {
    try {
      if (await db.read((tx) => anyExpired(tx, now()))) await sweep();
    } catch (error) {
      if (!closed) logger.error({ err: error }, 'looking for expired files failed');
    }
  }

  /** Tried again at the next look while a reader, such as a backup, holds it back. */
  async function purge(): Promise<void> {
    try {
      if (!closed) await db.purge();
    } catch (error) {
      logger.error({ err: error }, 'purging the write-ahead log failed');
    }
  }

  async function run(): Promise<void> {
    try {
      do {
        again = false;
        // It walks whole tables: not each time that something was deleted.
        const days = isRetentionDue ? retentionDays : 0;
        isRetentionDue = false;
        await sweepRetention({ db, transcript, now, days, isClosed: () => closed });
        while (!closed && (await db.write((tx) => sweepUserDeletions(tx, transcript))) > 0);
        while (!closed && (await db.write((tx) => sweepBots(tx, transcript))) > 0);
        while (!closed && (await db.write((tx) => sweepGraves(tx, step))) > 0);
        while (!closed && (await db.write((tx) => deleteOldRequests(tx, now(), step))) > 0);
        while (!closed && (await db.write((tx) => deleteOldInvitations(tx, now(), step))) > 0);
        while (!closed && (await db.write((tx) => deleteExpiredKeys(tx, now(), step))) > 0);
        while (!closed && (await sweepFiles(db, store, passages, now())) > 0);
        const old = now() - botLogLifetime;
        while (!closed && (await db.write((tx) => deleteOldBotLogs(tx, old, step))) > 0);
        while (!closed && (await db.write((tx) => deleteOldDeadLetters(tx, old, step))) > 0);
        const oldest = now() - auditLifetime;
        while (!closed && (await db.write((tx) => deleteOldAuditEntries(tx, oldest, step))) > 0);
      } while (again && !closed);
    } catch (error) {
      logger.error({ err: error }, 'sweeping failed');
    }
    round = undefined;
  }

  function sweepAll(): Promise<void> {
    isRetentionDue = true;
    return sweep();
  }

  function sweep(): Promise<void> {
    again = true;
    round ??= run();
    return round;
  }

  return {
    start() {
      round = sweepOrphans(db, store, () => closed)
        .catch((error: unknown) => logger.error({ err: error }, 'sweeping orphaned files failed'))
        .then(run);
      return round.then(purge);
    },
    sweep,
    sweepAndPurge: () => sweepAll().then(purge),
    async close() {
      closed = true;
      clearInterval(timer);
      clearInterval(looks);
      await round;
    },
  };
}
