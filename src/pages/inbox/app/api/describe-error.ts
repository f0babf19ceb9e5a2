// Describes an error, and what the member can do, in words. Pure.
import { ApiError, NetworkError } from '../../../../client/core/errors.ts';
import { formatBytes } from '../../../../protocol/locale/file-size.ts';
import type { Permission } from '../../../../protocol/permissions.ts';
import { describeProblem } from '../../../ui/errors.ts';
import { t, textLocale } from '../../../ui/texts.ts';
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
  if (error instanceof NetworkError) return describeProblem(error);
  switch (typeOf(error)) {
    case 'AlreadyTaken':
      return by
        ? t('{name} has taken this conversation.', { name: by })
        : t('A colleague has taken this conversation.');
    case 'AssignedToOther':
      return by
        ? t('{name} answers this conversation.', { name: by })
        : t('A colleague answers this conversation.');
    case 'StaleRevision':
      return t('The conversation has changed meanwhile. Look at it again, then repeat.');
    case 'ResourceNotFound':
      // Only the server knows what it has looked for.
      if (isOther) break;
      return t('This conversation does not exist any more.');
    case 'Forbidden':
    case 'RateLimited':
      return describeProblem(error);
    case 'Unauthorized':
      return t('You are signed out. Sign in again; what you have written is kept.');
    case 'QuotaExceeded':
      return t('This conversation has as many notes as it can have.');
  }
  return error instanceof Error && error.message
    ? t('This did not work: {message}', { message: error.message })
    : t('This did not work. Try again.');
}

/** The reason why an action is not available; undefined if it is available. */
export function missingPermission(
  permissions: readonly Permission[],
  needed: Permission,
): string | undefined {
  return permissions.includes(needed)
    ? undefined
    : t(
        'This needs the permission {permission}. A manager or an administrator of the workspace can give you a role that has it.',
        { permission: needed },
      );
}

/** Whether another attempt can succeed. */
export const isPassing = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.code >= 500 || error.code === 429;

/** `bytes`: the size of the file. */
export function describeFileError(error: unknown, bytes: number): string {
  const metadata = error instanceof ApiError ? error.metadata : undefined;
  const { limit, allowed } = (metadata ?? {}) as { limit?: unknown; allowed?: unknown };
  const type = typeOf(error);
  if (error instanceof NetworkError) return t('The connection was lost.');
  if (type === 'LimitExceeded' && typeof limit === 'number')
    return t('The file has {size}; at most {limit} are allowed.', {
      size: formatBytes(bytes, textLocale()),
      limit: formatBytes(limit, textLocale()),
    });
  if (type === 'UnsupportedMediaType' && Array.isArray(allowed))
    return t('Files of this type are not allowed, only {types}.', { types: allowed.join(', ') });
  if (type === 'InsufficientStorage') return t('The server has no space left for files.');
  return describeError(error);
}
