// Cross-origin rules (Fetch Standard, "CORS protocol"). `*` is safe and is the default: responses to requests with a cookie are only
// for pages of this server (auth/session-requests.ts).
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
 * `addressOf`: the address of this server for a request, in an API that its own pages use; they need not be listed.
 */
export function cors(
  allowedOrigins: readonly string[] | undefined,
  addressOf?: (request: Request) => string,
): MiddlewareHandler {
  return async (c, next) => {
    const origin = c.req.header('origin');
    const isOwn = origin !== undefined && addressOf && origin === new URL(addressOf(c.req.raw)).origin;
    const headers = originHeaders(isOwn && allowedOrigins ? undefined : origin, allowedOrigins);
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

/**
 * Returns an origin such as `https://chat.example.com`, from X-Forwarded-Proto and X-Forwarded-Host if they are well-formed.
 * Trusts the headers of any proxy, because a response that is derived from them is sent only to the client that sent them.
 */
export function originOf(request: Request): string {
  const url = new URL(request.url);
  const first = (name: string): string => request.headers.get(name)?.split(',')[0]?.trim() ?? '';
  const proto = /^https?$/i.exec(first('x-forwarded-proto'))?.[0].toLowerCase();
  const host = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i.exec(first('x-forwarded-host'))?.[0];
  const scheme = proto ?? url.protocol.slice(0, -1);
  const forwarded = host && `${scheme}://${host}`;
  // A URL cannot contain some names of this form, such as 1.2.3.4.5.
  return forwarded && URL.canParse(forwarded) ? forwarded : `${scheme}://${url.host}`;
}
