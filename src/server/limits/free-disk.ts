// Monitors the free disk space of the data folder and rejects new data before the reserve is used up.
import { statfs as readStatfs } from 'node:fs/promises';
import type { Logger } from 'pino';
import { ApiError } from '../api/errors.ts';

/** Milliseconds that a measurement is valid. */
const lifetimeMs = 5_000;
/** Bytes that can be written between two measurements. */
const maxUnmeasuredBytes = 16_000_000;
/** The value of Retry-After in seconds. */
const retryAfterSeconds = 60;

export interface FreeDisk {
  /** Throws InsufficientStorage when `bytes` more would use the reserve. Must be called before each write. */
  reserve(bytes: number): Promise<void>;
}

export interface FreeDiskOptions {
  /** The data folder. */
  folder: string;
  /** Bytes that stay free; 0 disables the check. */
  reserve: number;
  logger: Logger;
  statfs?: (path: string) => Promise<{ bavail: number; bsize: number }>;
  /** A monotonic clock in milliseconds. */
  elapsed?: () => number;
}

export function createFreeDisk(options: FreeDiskOptions): FreeDisk {
  const { folder, reserve, logger, statfs = readStatfs, elapsed = () => performance.now() } = options;
  /** Free bytes at the last measurement. */
  let free = Number.POSITIVE_INFINITY;
  let measuredAt = Number.NEGATIVE_INFINITY;
  /** Bytes that were reserved since the last measurement began. */
  let reserved = 0;
  let measuring: Promise<void> | undefined;
  let isLow = false;
  let isUnreadable = false;

  async function measure(): Promise<void> {
    const before = reserved;
    try {
      const { bavail, bsize } = await statfs(folder);
      free = bavail * bsize;
    } catch (error) {
      // Some file systems do not report it; the chat must work on them.
      if (!isUnreadable)
        logger.warn({ err: error }, 'the free disk space cannot be read (DISK_RESERVE_BYTES)');
      isUnreadable = true;
      free = Number.POSITIVE_INFINITY;
    }
    // Bytes that were reserved during the measurement may not be on the disk yet.
    reserved -= before;
    measuredAt = elapsed();
    // Hysteresis, so that a disk near the limit is not reported repeatedly.
    if (isLow && free >= reserve + maxUnmeasuredBytes) {
      isLow = false;
      logger.info({ free, reserve }, 'the disk has enough free space again: visitors can write');
    }
  }

  return {
    async reserve(bytes) {
      if (reserve === 0) return;
      if (elapsed() - measuredAt >= lifetimeMs || reserved + bytes > maxUnmeasuredBytes) {
        measuring ??= measure().finally(() => {
          measuring = undefined;
        });
        await measuring;
      }
      if (free - reserved - bytes < reserve) {
        if (!isLow) {
          logger.warn(
            { free, reserve },
            'the disk is nearly full (DISK_RESERVE_BYTES): visitors cannot write',
          );
        }
        isLow = true;
        throw new ApiError(
          'InsufficientStorage',
          'The server does not have enough free disk space. Try again later.',
          { retryAfter: retryAfterSeconds },
          { 'retry-after': String(retryAfterSeconds) },
        );
      }
      reserved += bytes;
    },
  };
}
