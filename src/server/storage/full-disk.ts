// Detects a full disk from the errors of SQLite, and when writes succeed again.
import { StorageFull } from './database.ts';

/** Milliseconds without a failure after which a successful write ends the state: small writes may fit while others do not. */
const settlingTimeMs = 5_000;

/** SQLITE_FULL, and SQLITE_IOERR_SHMSIZE: the file that is shared with readers cannot grow. */
const fullCodes = [13, 4_874];

/** Returns StorageFull for an error of a full disk, and any other error unchanged. */
export function withStorageFull(error: unknown): unknown {
  const { errcode, message } = error as { errcode?: unknown; message?: unknown };
  const isFull = fullCodes.includes(Number(errcode)) || message === 'database or disk is full';
  return isFull ? new StorageFull('The disk is full.', { cause: error }) : error;
}

export interface FullDisk {
  /** A write failed with this error. */
  failed(error: unknown): void;
  /** A commit that has changed rows is on disk. */
  committed(): void;
  readonly isFull: boolean;
}

/** `onFull` is called when the disk is full, and when it has space again. */
export function createFullDisk(onFull: ((isFull: boolean) => void) | undefined): FullDisk {
  let isFull = false;
  let failedAt = 0;
  return {
    failed(error) {
      if (!(error instanceof StorageFull)) return;
      failedAt = performance.now();
      if (!isFull) onFull?.(true);
      isFull = true;
    },
    committed() {
      if (!isFull || performance.now() - failedAt < settlingTimeMs) return;
      isFull = false;
      onFull?.(false);
    },
    get isFull() {
      return isFull;
    },
  };
}
