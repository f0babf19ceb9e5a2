// Routes and methods of the Session API, generated from src/protocol/operations/session by generated.test.ts. Do not edit.
// biome-ignore-all format: generated
// biome-ignore-all assist/source/organizeImports: generated
import type { Session, SignInOptions, SignedIn } from '../../protocol/types/session.ts';
import type { Arguments } from '../platform/api-client.ts';

export const sessionApi = {
  needs: undefined,
  tokenOnly: [],
  routes: {
    getSignInOptions: 'GET /v1/session/options',
    signInWithPassword: 'POST /v1/session/password',
    changePassword: 'PUT /v1/session/password',
    requestSignInLink: 'POST /v1/session/link',
    useSignInLink: 'POST /v1/session/link/use',
    startOidcSignIn: 'POST /v1/session/oidc',
    finishOidcSignIn: 'POST /v1/session/oidc/callback',
    getSession: 'GET /v1/session',
    signOut: 'DELETE /v1/session',
    listSessions: 'GET /v1/session/all',
    endSession: 'DELETE /v1/session/{id}',
  },
  /** Operations that list, and the key of the answer that holds the items. */
  lists: {

  },
} as const;

/** Every operation of the Session API as a method. */
export interface SessionMethods {
  /** Returns the ways to sign in that this server offers. */
  getSignInOptions(...args: Arguments<Record<never, never>>): Promise<SignInOptions>;
  /**
   * Signs a member in with their e-mail address and password, and sets the cookie of the session.
   * Without `workspaceId`, it is the first workspace in which the address has a password. An unknown
   * address and a wrong password have the same answer.
   */
  signInWithPassword(...args: Arguments<{ email: string; password: string; workspaceId?: string }>): Promise<SignedIn>;
  /**
   * Changes the password of the member who has signed in. All their other sessions end. A member without
   * a password sets one with a link.
   */
  changePassword(...args: Arguments<{ currentPassword: string; password: string }>): Promise<Record<never, never>>;
  /**
   * Sends a one-time link to a member: to sign in (default), or to set another password. The answer is
   * the same whether the address belongs to a member or not.
   */
  requestSignInLink(...args: Arguments<{ email: string; purpose?: 'sign-in' | 'reset'; workspaceId?: string }>): Promise<Record<never, never>>;
  /**
   * Signs a member in with the token of a one-time link, which is then used up. With a link of an
   * invitation or a reset, `password` becomes their password, and all their other sessions end. With the
   * link of the first start, `email`, `displayName` and `password` become those of the owner; `password`
   * can be left out if members sign in with another service.
   */
  useSignInLink(...args: Arguments<{ token: string; password?: string; email?: string; displayName?: string }>): Promise<SignedIn>;
  /**
   * Begins a sign-in with the other service (`OIDC_ISSUER`): returns the address to which the browser
   * goes, and sets a cookie for 10 minutes.
   */
  startOidcSignIn(...args: Arguments<{ workspaceId?: string }>): Promise<{ url: string }>;
  /**
   * Ends a sign-in with the other service. `query` is that of the address to which the service has sent
   * the browser. The first time, the account of the service is bound to the member with its verified
   * e-mail address.
   */
  finishOidcSignIn(...args: Arguments<{ query: string }>): Promise<SignedIn>;
  /** Returns the member who has signed in, with their permissions. */
  getSession(...args: Arguments<Record<never, never>>): Promise<SignedIn>;
  /** Ends the session of the request. */
  signOut(...args: Arguments<Record<never, never>>): Promise<Record<never, never>>;
  /** Lists the sessions of the member who has signed in, newest first. */
  listSessions(...args: Arguments<Record<never, never>>): Promise<{ sessions: Session[] }>;
  /** Ends a session of the member who has signed in, in any browser. */
  endSession(...args: Arguments<{ id: string }>): Promise<Record<never, never>>;
}

/** Every list of the Session API as an async iterable over all pages. */
export type SessionLists = Record<never, never>;
