// Cross-origin rules (Fetch Standard, "CORS protocol"). No cookies are used, so `*` is safe and is the default.
// Why not `hono/cors`: it omits the header for other origins, but executes their requests (decision 21).
import type { MiddlewareHandler } from 'hono';
import { ApiError, errorResponse } from '../api/errors.ts';

const allowHeaders =
  'x-user-key, content-type, last-event-id, idempotency-key, upload-offset, tus-resumable, authorization, ' +
  'x-workspace-id, x-bot-id, x-integration-id, x-integration-alias, x-integration-name, x-user-id, x-user-role, ' +
  'x-multiple-integrations, x-admin-secret, x-destination-bot-id, timeout, x-amz-tagging, x-user-proof, x-visitor-locale';
const allowMethods = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';
// `date`: lets a page detect that its clock is wrong.
const exposeHeaders =
  'date, retry-after, ratelimit-limit, ratelimit-remaining, ratelimit-reset, last-event-id, upload-offset, ' +
  'upload-length, tus-resumable';
/** Seconds that a browser caches the response to a preflight, at most as long as Chromium does. */
const maxAgeSeconds = 7200;

/**
 * Responds to preflights and adds CORS headers to responses. Without `allowedOrigins`: `*` for every origin. With it: a
 * listed origin is repeated, with credentials (existing clients send them); any other origin is rejected with 403.
 * Requests without an origin (servers, same-origin GETs) are allowed. `null` may be listed, but never gets credentials.
 */
export function cors(allowedOrigins: readonly string[] | undefined): MiddlewareHandler {
  return async (c, next) => {
    const origin = c.req.header('origin');
    const headers = originHeaders(origin, allowedOrigins);
    if (!headers) {
      const refusal = new ApiError('Forbidden', 'This origin is not allowed to use this server.');
      return errorResponse(refusal, { vary: 'Origin' });
    }
    if (c.req.method === 'OPTIONS') {
      return new Response(null, {
        status: 204,
        headers: {
          ...headers,
          'access-control-allow-methods': allowMethods,
          'access-control-allow-headers': allowHeaders,
          'access-control-max-age': String(maxAgeSeconds),
        },
      });
    }
    await next();
    for (const [name, value] of Object.entries(headers)) c.res.headers.set(name, value);
    c.res.headers.set('access-control-expose-headers', exposeHeaders);
    return undefined;
  };
}

/** Returns the headers that allow this origin; undefined when it is not allowed. */
function originHeaders(
  origin: string | undefined,
  allowed: readonly string[] | undefined,
): Record<string, string> | undefined {
  if (!allowed) return { 'access-control-allow-origin': '*' };
  if (origin === undefined) return { vary: 'Origin' };
  if (!allowed.includes(origin)) return undefined;
  const headers = { 'access-control-allow-origin': origin, vary: 'Origin' };
  return origin === 'null' ? headers : { ...headers, 'access-control-allow-credentials': 'true' };
}
