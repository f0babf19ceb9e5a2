// Describes an error, and what the member can do, in words. Pure.
import { ApiError, NetworkError } from '../../../../client/core/errors.ts';
import { formatBytes } from '../../../../protocol/locale/file-size.ts';
import type { Permission } from '../../../../protocol/permissions.ts';
import type { Colleague } from './inbox-api.ts';

/**
 * The name in `metadata.assignee` of an error, if the server has sent one: that of visitors, unless it is one of these
 * colleagues.
 */
export function assigneeOf(error: unknown, colleagues: readonly Colleague[] = []): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const { assignee } = (error.metadata ?? {}) as { assignee?: unknown };
  if (typeof assignee === 'string') return assignee;
  const { name, memberId } = (assignee ?? {}) as { name?: unknown; memberId?: unknown };
  const colleague = colleagues.find((each) => each.memberId === memberId);
  return colleague?.name ?? (typeof name === 'string' ? name : undefined);
}

export const typeOf = (error: unknown): string | undefined =>
  error instanceof ApiError ? error.type : undefined;

/**
 * One or two sentences about an error of a request. `isOther`: something else is missing, as far as is known, not the
 * conversation.
 */
export function describeError(error: unknown, isOther = false, colleagues?: readonly Colleague[]): string {
  const by = assigneeOf(error, colleagues);
  // The server may have done what was asked: only the response is known to be missing.
  if (error instanceof NetworkError)
    return 'The server cannot be reached, or its response was lost. Try again.';
  switch (typeOf(error)) {
    case 'AlreadyTaken':
      return by ? `${by} has taken this conversation.` : 'A colleague has taken this conversation.';
    case 'AssignedToOther':
      return by ? `${by} answers this conversation.` : 'A colleague answers this conversation.';
    case 'StaleRevision':
      return 'The conversation has changed meanwhile. Look at it again, then repeat.';
    case 'ResourceNotFound':
      // Only the server knows what it has looked for.
      if (isOther) break;
      return 'This conversation does not exist any more.';
    case 'Forbidden':
      return 'You do not have the permission for this. A manager or an administrator of the workspace can give it.';
    case 'Unauthorized':
      return 'You are signed out. Sign in again; what you have written is kept.';
    case 'QuotaExceeded':
      return 'This conversation has as many notes as it can have.';
    case 'RateLimited':
      return 'Too many requests. Wait a moment, then try again.';
  }
  return error instanceof Error && error.message
    ? `This did not work: ${error.message}`
    : 'This did not work. Try again.';
}

/** The reason why an action is not available; undefined if it is available. */
export function missingPermission(
  permissions: readonly Permission[],
  needed: Permission,
): string | undefined {
  return permissions.includes(needed)
    ? undefined
    : `This needs the permission ${needed}. A manager or an administrator of the workspace can give you a role that has it.`;
}

/** Whether another attempt can succeed. */
export const isPassing = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.code >= 500 || error.code === 429;

/** `bytes`: the size of the file. */
export function describeFileError(error: unknown, bytes: number): string {
  const metadata = error instanceof ApiError ? error.metadata : undefined;
  const { limit, allowed } = (metadata ?? {}) as { limit?: unknown; allowed?: unknown };
  const type = typeOf(error);
  if (error instanceof NetworkError) return 'The connection was lost.';
  if (type === 'LimitExceeded' && typeof limit === 'number')
    return `The file has ${formatBytes(bytes, 'en')}; at most ${formatBytes(limit, 'en')} are allowed.`;
  if (type === 'UnsupportedMediaType' && Array.isArray(allowed))
    return `Files of this type are not allowed, only ${allowed.join(', ')}.`;
  if (type === 'InsufficientStorage') return 'The server has no space left for files.';
  return describeError(error);
}
