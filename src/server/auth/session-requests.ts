// The sessions of requests: the cookie of a request, its renewal, and the cookies of the response.
import type { Context, MiddlewareHandler } from 'hono';
import type { Principal } from '../api/caller.ts';
import type { Database } from '../storage/database.ts';
import type { SessionAccess } from './identify.ts';
import { assertOwnPage, isSafeMethod } from './own-page.ts';
import { assertSafeForCookies, cookieHeader, readCookie } from './session-cookie.ts';
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

/** The session of a request to `address`, the address of the server as the client reaches it. */
export function sessionAccessOf({ req: { raw } }: Context, address: string): SessionAccess {
  return {
    cookie: readCookie(raw.headers, address),
    assertOwnPage() {
      if (!isSafeMethod(raw.method)) assertOwnPage(raw, address);
    },
  };
}

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
