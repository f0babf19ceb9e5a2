// Describes the errors of requests in words. Pure.
import { ApiError, NetworkError } from '../../client/core/errors.ts';
import { t } from './texts.ts';

/** One or two sentences about an error of a request. The server explains refused values itself. */
export function describeProblem(error: unknown): string {
  // The server may have done what was asked: only the response is known to be missing.
  if (error instanceof NetworkError)
    return t('The server cannot be reached, or its response was lost. Try again.');
  if (error instanceof ApiError) {
    if (error.type === 'Forbidden')
      return t(
        'You do not have the permission for this. A manager or an administrator of the workspace can give it.',
      );
    if (error.type === 'Unauthorized') return t('You are signed out. Sign in again.');
    if (error.type === 'RateLimited') return t('Too many requests. Wait a moment, then try again.');
  }
  return error instanceof Error && error.message ? error.message : t('This did not work. Try again.');
}

/** The messages of a refused input, by the path of the field, such as `agent.url`. */
export function fieldProblems(error: unknown): Record<string, string> {
  // A refusal of the Session API names one field.
  if (error instanceof Error && 'field' in error && typeof error.field === 'string')
    return { [error.field]: error.message };
  if (!(error instanceof ApiError)) return {};
  const { issues = [] } = (error.metadata ?? {}) as { issues?: { path?: string; message?: string }[] };
  return Object.fromEntries(
    issues.flatMap(({ path, message }) => (path && message ? [[path, message]] : [])),
  );
}
