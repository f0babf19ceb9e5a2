// Operations of the Session API: sign-in with a password, a one-time link or another service, and sessions.
import * as v from 'valibot';
import { admin } from '../schemas/admin.ts';
import { schemas } from '../schemas/chat.ts';
import { sessionSchemas } from '../schemas/session.ts';
import { maybe } from '../schemas/values.ts';
import { mutation, operations, query } from './operation.ts';

const workspaceId = maybe(schemas.id);

export const signIn = operations({
  getSignInOptions: query({
    route: 'GET /options',
    summary: 'Returns the ways to sign in that this server offers.',
    auth: 'none',
    output: sessionSchemas.options,
  }),

  signInWithPassword: mutation({
    route: 'POST /password',
    summary:
      'Signs a member in with their e-mail address and password, and sets the cookie of the session. Without ' +
      '`workspaceId`, it is the first workspace in which the address has a password. An unknown address and a wrong ' +
      'password have the same answer.',
    auth: 'none',
    hasSecrets: true,
    errors: ['Unauthorized', 'Forbidden'],
    input: v.object({ email: admin.email, password: sessionSchemas.password, workspaceId }),
    output: sessionSchemas.signedIn,
    sample: { email: 'ada@example.com', password: 'correct horse battery staple' },
    examples: [{ email: 'nobody@example.com', password: 'correct horse battery staple' }],
  }),

  changePassword: mutation({
    route: 'PUT /password',
    summary:
      'Changes the password of the member who has signed in. All their other sessions end. A member without a password ' +
      'sets one with a link.',
    auth: 'session',
    hasSecrets: true,
    errors: ['Forbidden'],
    input: v.object({ currentPassword: sessionSchemas.password, password: sessionSchemas.newPassword }),
    output: schemas.nothing,
    examples: [{ currentPassword: 'correct horse battery staple', password: 'four other words together' }],
  }),

  requestSignInLink: mutation({
    route: 'POST /link',
    summary:
      'Sends a one-time link to a member: to sign in (default), or to set another password. The answer is the same ' +
      'whether the address belongs to a member or not.',
    auth: 'none',
    hasSecrets: true,
    errors: ['Forbidden'],
    input: v.object({
      email: admin.email,
      purpose: maybe(v.picklist(['sign-in', 'reset'])),
      workspaceId,
    }),
    output: schemas.nothing,
    sample: { email: 'ada@example.com' },
    examples: [{ email: 'nobody@example.com' }],
  }),

  useSignInLink: mutation({
    route: 'POST /link/use',
    summary:
      'Signs a member in with the token of a one-time link, which is then used up. With a link of an invitation or a ' +
      'reset, `password` becomes their password, and all their other sessions end. With the link of the first start, ' +
      '`email`, `displayName` and `password` become those of the owner; `password` can be left out if members sign in with ' +
      'another service.',
    auth: 'none',
    hasSecrets: true,
    errors: ['Unauthorized', 'Forbidden', 'AlreadyExists'],
    input: v.object({
      token: sessionSchemas.linkToken,
      password: maybe(sessionSchemas.newPassword),
      email: maybe(admin.email),
      displayName: maybe(admin.name),
    }),
    output: sessionSchemas.signedIn,
    sample: { token: 'TOKEN' },
    examples: [{ token: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }],
  }),
});

export const oidc = operations({
  startOidcSignIn: mutation({
    route: 'POST /oidc',
    summary:
      'Begins a sign-in with the other service (`OIDC_ISSUER`): returns the address to which the browser goes, and sets a ' +
      'cookie for 10 minutes.',
    auth: 'none',
    hasSecrets: true,
    errors: ['Forbidden', 'ServiceUnavailable'],
    input: v.object({ workspaceId: maybe(schemas.id) }),
    output: v.object({ url: v.string() }),
    examples: [{}],
  }),

  finishOidcSignIn: mutation({
    route: 'POST /oidc/callback',
    summary:
      'Ends a sign-in with the other service. `query` is that of the address to which the service has sent the browser. ' +
      'The first time, the account of the service is bound to the member with its verified e-mail address.',
    auth: 'none',
    hasSecrets: true,
    errors: ['Unauthorized', 'Forbidden', 'ServiceUnavailable'],
    input: v.object({ query: v.pipe(schemas.id, v.maxLength(8_000)) }),
    output: sessionSchemas.signedIn,
    sample: { query: 'code=CODE&state=STATE' },
    examples: [{ query: 'code=none&state=none' }],
  }),
});

export const sessions = operations({
  getSession: query({
    route: 'GET /',
    summary: 'Returns the member who has signed in, with their permissions.',
    auth: 'session',
    output: sessionSchemas.signedIn,
  }),

  signOut: mutation({
    route: 'DELETE /',
    summary: 'Ends the session of the request.',
    auth: 'session',
    output: schemas.nothing,
  }),

  listSessions: query({
    route: 'GET /all',
    summary: 'Lists the sessions of the member who has signed in, newest first.',
    auth: 'session',
    output: v.object({ sessions: v.array(sessionSchemas.session) }),
  }),

  endSession: mutation({
    route: 'DELETE /{id}',
    summary: 'Ends a session of the member who has signed in, in any browser.',
    auth: 'session',
    errors: ['ResourceNotFound'],
    output: schemas.nothing,
    examples: [{ id: 'session_none' }],
  }),
});

export const sessionOperations = { ...signIn, ...oidc, ...sessions };
