// The error of a write that comes too late.
import { ApiError } from '../../api/errors.ts';
import { EventLost } from '../claims/fence.ts';

/** True for the error of a write whose conversation was deleted meanwhile, or whose event was taken over. */
export function isConversationMissing(error: unknown): boolean {
  return error instanceof EventLost || (error instanceof ApiError && error.type === 'ResourceNotFound');
}
