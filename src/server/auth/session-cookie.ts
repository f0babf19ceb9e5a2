// The cookie of a session: its name and attributes at an address, and its value in a request.
// Why not `hono/cookie`: name and attributes depend on the address of the server (decision 152).
import { ApiError } from '../api/errors.ts';

/** Hosts whose plain HTTP never leaves the machine. */
const loopbackHosts = /^(?:localhost|(?:[\w-]+\.)+localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Whether a host is this machine. */
export const isLoopback = (hostname: string): boolean => loopbackHosts.test(hostname);

/**
 * The name at an address. With HTTPS the prefix `__Host-` binds the cookie to this host, so that no subdomain can set it;
 * browsers accept it only with `Secure`, which plain HTTP on the own machine does not have.
 */
const nameAt = (address: string, suffix = ''): string =>
  `${new URL(address).protocol === 'https:' ? '__Host-' : ''}inbox${suffix}`;

/** Throws Forbidden where a cookie could be read on the way: plain HTTP to another machine. */
export function assertSafeForCookies(address: string): void {
  const { protocol, hostname } = new URL(address);
  if (protocol === 'https:' || isLoopback(hostname)) return;
  throw new ApiError(
    'Forbidden',
    'Signing in needs HTTPS. Without it, it works only on this machine (127.0.0.1).',
  );
}

/** Returns the value of a cookie in a request to an address; undefined without it. `suffix`: of another cookie. */
export function readCookie(headers: Headers, address: string, suffix = ''): string | undefined {
  const name = nameAt(address, suffix);
  for (const part of (headers.get('cookie') ?? '').split(';')) {
    const at = part.indexOf('=');
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim();
  }
  return undefined;
}

/**
 * Returns the `Set-Cookie` header of a value; '' ends the cookie. `maxAge`: seconds until the browser forgets it; the server
 * ends a session earlier.
 */
export function cookieHeader(
  value: string,
  address: string,
  { suffix = '', maxAge = 30 * 24 * 60 * 60 }: { suffix?: string; maxAge?: number } = {},
): string {
  const isSecure = new URL(address).protocol === 'https:';
  const parts = [
    `${nameAt(address, suffix)}=${value}`,
    'Path=/',
    'HttpOnly',
    'SameSite=Lax',
    ...(isSecure ? ['Secure'] : []),
    `Max-Age=${value === '' ? 0 : maxAge}`,
  ];
  return parts.join('; ');
}
