// The sessions of requests: cookies, their renewal, and the protection of requests with a cookie from pages of other origins.
// Why not `hono/cookie`: name and attributes depend on the address of the server (decision 152).
import type { Context, MiddlewareHandler } from 'hono';
import type { Principal } from '../api/caller.ts';
import { ApiError } from '../api/errors.ts';
import type { Database } from '../storage/database.ts';
import type { SessionAccess } from './identify.ts';
import { isCurrentValue, isRenewalDue, renewSession } from './sessions.ts';

/** The suffix of the name of the cookie of a sign-in with another service, and its seconds. */
export const oidcCookie = { suffix: '-oidc', maxAge: 600 };

const cookies = new WeakMap<Request, string[]>();

/** Adds the cookies of the request to its response, also to that of a failed one, whose session may have a new value. */
export const sendCookies: MiddlewareHandler = async (c, next) => {
  await next();
  for (const cookie of cookies.get(c.req.raw) ?? []) c.res.headers.append('set-cookie', cookie);
};

const addCookie = (request: Request, cookie: string): void => {
  cookies.set(request, [...(cookies.get(request) ?? []), cookie]);
};

/**
 * The session of a request to `address`, the address of the server as the client reaches it. `isCrossOrigin`: pages of other
 * origins may read the responses of the API, with a token.
 */
export function sessionAccessOf(
  { req: { raw } }: Context,
  address: string,
  isCrossOrigin: boolean,
): SessionAccess {
  return {
    cookie: readCookie(raw.headers, address),
    isCrossOrigin,
    assertOwnPage() {
      if (!isSafeMethod(raw.method)) assertOwnPage(raw, address);
      else if (isCrossOrigin && !isOwnRead(raw, address)) throw otherPage();
    },
  };
}

/** Older browsers name no origin when a page reads from its own server, and always when it reads from another one. */
function isOwnRead({ headers }: Request, address: string): boolean {
  const site = headers.get('sec-fetch-site');
  const origin = headers.get('origin');
  return site === null ? origin === null || origin === new URL(address).origin : site === 'same-origin';
}

const otherPage = () =>
  new ApiError('Forbidden', 'Requests with a session, and to sign in, must come from a page of this server.');

/** Notes that the session of a caller is used, and gives it another value when it is time. */
export async function renewSessionOf(
  c: Context,
  { session }: Principal,
  { db, address, now }: { db: Database; address: string; now: number },
): Promise<void> {
  const value = readCookie(c.req.raw.headers, address);
  if (!session || value === undefined || !(await db.read((tx) => isRenewalDue(tx, session, now)))) return;
  const renewed = await db.write((tx) => renewSession(tx, session, isCurrentValue(session, value), now));
  if (renewed !== undefined) addCookie(c.req.raw, cookieHeader(renewed, address));
}

/** Sets the cookies of the result of an operation. */
export function setCookiesOf(
  c: Context,
  { session, oidcSession }: { session?: string | undefined; oidcSession?: string | undefined },
  address: string,
): void {
  if (session || oidcSession) assertSafeForCookies(address);
  if (session !== undefined) addCookie(c.req.raw, cookieHeader(session, address));
  if (oidcSession !== undefined) addCookie(c.req.raw, cookieHeader(oidcSession, address, oidcCookie));
}

/** Methods that change nothing (RFC 9110, 9.2.1). */
export const isSafeMethod = (method: string): boolean => ['GET', 'HEAD'].includes(method);

/**
 * Protects requests with a cookie from pages of other origins (cross-site request forgery). Throws Forbidden for a request that
 * no page of this server has sent. Browsers say where a request comes from, and no page can change that: `Sec-Fetch-Site`, or
 * in older ones `Origin`. A body must be JSON, which a form of another page cannot send. `address`: the address of the server
 * as the client reaches it.
 */
export function assertOwnPage(request: Request, address: string): void {
  const { headers, method } = request;
  const site = headers.get('sec-fetch-site');
  const isOwn = site === null ? headers.get('origin') === new URL(address).origin : site === 'same-origin';
  if (!isOwn) throw otherPage();
  const type = headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (method !== 'DELETE' && type !== 'application/json') {
    throw new ApiError('UnsupportedMediaType', 'The body must be JSON with content-type application/json.');
  }
}

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
