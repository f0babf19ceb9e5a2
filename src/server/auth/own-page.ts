// Protects requests with a cookie from pages of other origins (cross-site request forgery).
import { ApiError } from '../api/errors.ts';

/** Methods that change nothing (RFC 9110, 9.2.1). */
export const isSafeMethod = (method: string): boolean => ['GET', 'HEAD'].includes(method);

/**
 * Throws Forbidden for a request that no page of this server has sent. Browsers say where a request comes from, and no page
 * can change that: `Sec-Fetch-Site`, or in older ones `Origin`. A body must be JSON, which a form of another page cannot
 * send. `address`: the address of the server as the client reaches it.
 */
export function assertOwnPage(request: Request, address: string): void {
  const { headers, method } = request;
  const site = headers.get('sec-fetch-site');
  const isOwn = site === null ? headers.get('origin') === new URL(address).origin : site === 'same-origin';
  if (!isOwn) {
    throw new ApiError(
      'Forbidden',
      'Requests with a session, and to sign in, must come from a page of this server.',
    );
  }
  const type = headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (method !== 'DELETE' && type !== 'application/json') {
    throw new ApiError('UnsupportedMediaType', 'The body must be JSON with content-type application/json.');
  }
}
