// Watches the free disk of the data folder, and refuses new data before the reserve is used up.
import { statfs as readStatfs } from 'node:fs/promises';
import type { Logger } from 'pino';
import { ApiError } from '../api/errors.ts';

/** Milliseconds that a look at the disk is good for. */
const lifetime = 5_000;
/** Bytes that may be written between two looks. */
const writtenBetween = 16_000_000;
/** Seconds after which a client may ask again. */
const retryAfter = 60;

export interface FreeDisk {
  /** Throws InsufficientStorage where `bytes` more would use the reserve. Call it before each piece that is written. */
  take(bytes: number): Promise<void>;
}

export interface FreeDiskOptions {
  /** The folder of the data. */
  folder: string;
  /** Bytes that stay free; 0 for none. */
  reserve: number;
  logger: Logger;
  statfs?: (path: string) => Promise<{ bavail: number; bsize: number }>;
  /** Milliseconds of a clock that never goes back. */
  elapsed?: () => number;
}

export function createFreeDisk(options: FreeDiskOptions): FreeDisk {
  const { folder, reserve, logger, statfs = readStatfs, elapsed = () => performance.now() } = options;
  /** Free bytes at the last look. */
  let free = Number.POSITIVE_INFINITY;
  let lookedAt = Number.NEGATIVE_INFINITY;
  /** Bytes that were taken since the last look began. */
  let taken = 0;
  let looking: Promise<void> | undefined;
  let isLow = false;
  let isUnreadable = false;

  async function look(): Promise<void> {
    const before = taken;
    try {
      const { bavail, bsize } = await statfs(folder);
      free = bavail * bsize;
    } catch (error) {
      // Not every file system tells; one that does not must not stop the chat.
      if (!isUnreadable) logger.warn({ err: error }, 'the free disk cannot be read (DISK_RESERVE_BYTES)');
      isUnreadable = true;
      free = Number.POSITIVE_INFINITY;
    }
    // What came meanwhile may not be on the disk yet.
    taken -= before;
    lookedAt = elapsed();
    // Some more than the reserve, so that a disk at its edge is not reported again and again.
    if (isLow && free >= reserve + writtenBetween) {
      isLow = false;
      logger.info({ free, reserve }, 'the disk has room again: visitors can write');
    }
  }

  return {
    async take(bytes) {
      if (reserve === 0) return;
      if (elapsed() - lookedAt >= lifetime || taken + bytes > writtenBetween) {
        looking ??= look().finally(() => {
          looking = undefined;
        });
        await looking;
      }
      if (free - taken - bytes < reserve) {
        if (!isLow) {
          logger.warn(
            { free, reserve },
            'the disk is nearly full (DISK_RESERVE_BYTES): visitors cannot write',
          );
        }
        isLow = true;
        throw new ApiError(
          'InsufficientStorage',
          'The server has not enough free disk at the moment. Try again later.',
          { retryAfter },
          { 'retry-after': String(retryAfter) },
        );
      }
      taken += bytes;
    },
  };
}
