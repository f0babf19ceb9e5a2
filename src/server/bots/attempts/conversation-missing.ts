// The error of a write that comes too late.
import { ApiError } from '../../api/errors.ts';

/** True for the error of a write whose conversation was deleted meanwhile. */
export function isConversationMissing(error: unknown): boolean {
  return error instanceof ApiError && error.type === 'ResourceNotFound';
}
