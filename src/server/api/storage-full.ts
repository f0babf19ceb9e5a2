// The errors of requests that cannot be stored at the moment: the disk is full, of the database or of a file, or the
// database does not answer.
import { StorageFull } from '../storage/database.ts';
import { ApiError } from './errors.ts';

/** The value of Retry-After in seconds. */
const retryAfterSeconds = 30;
/** The disk is full, or the quota of the user that runs the server. */
const fileCodes = ['ENOSPC', 'EDQUOT'];

/** Whether the database had no space for a write. By name, because the error of a bot comes from another thread. */
export const isDatabaseFull = (error: unknown): boolean =>
  error instanceof Error && error.name === StorageFull.name;

/** Whether the disk had no space for a write, of the database or of a file. It can be repeated later. */
export const isStorageFull = (error: unknown): boolean =>
  isDatabaseFull(error) || fileCodes.includes((error as { code?: string } | undefined)?.code ?? '');

/**
 * The response to such a write: 503, because 507 announces the reserve of free disk space (limits/free-disk.ts), and
 * clients and proxies know 503 as temporary.
 */
export const storageFull = (): ApiError =>
  new ApiError(
    'InsufficientStorage',
    'The server cannot store anything at the moment. Reading still works. Try again later.',
    { retryAfter: retryAfterSeconds },
    { 'retry-after': String(retryAfterSeconds) },
    503,
  );

/** The value of Retry-After in seconds: the request has waited already. */
const databaseRetryAfterSeconds = 2;

/** The response to a request whose database does not answer. The start of the state is logged, not each request. */
export const databaseUnavailable = (): ApiError =>
  new ApiError(
    'ServiceUnavailable',
    'The database of the server does not answer at the moment. Try again later.',
    { retryAfter: databaseRetryAfterSeconds },
    { 'retry-after': String(databaseRetryAfterSeconds) },
  );
