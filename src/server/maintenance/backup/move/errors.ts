// Errors of a move as one line with a remedy.
import { S3Error } from '../../../files/index.ts';
import { asStartError, StartError } from '../../../startup/start-error.ts';
import { StorageFull } from '../../../storage/database.ts';
import { withStorageFull } from '../../../storage/full-disk.ts';
import { isConnectionLost } from '../../../storage/postgres/failures.ts';

const again = 'Repeat the command, and it goes on.';

/** Converts errors with a cause outside of the program; other errors are returned unchanged. */
export function asMoveError(thrown: unknown): unknown {
  if (thrown instanceof StartError) return thrown;
  const error = withStorageFull(thrown);
  const options = { cause: error };
  const { code } = error as NodeJS.ErrnoException;
  if (error instanceof StorageFull || code === 'ENOSPC') {
    return new StartError(`The target has no space left: free some. ${again}`, 1, options);
  }
  if (error instanceof S3Error) {
    const { operation, status, reason } = error;
    const answer = status === 0 ? 'does not answer' : `answers ${operation} with ${status}`;
    return new StartError(`S3_URL: the store ${answer} (${reason}). ${again}`, 1, options);
  }
  if (isConnectionLost(error)) {
    return new StartError(`DATABASE_URL: the database cannot be reached any more. ${again}`, 1, options);
  }
  return asStartError(error);
}
