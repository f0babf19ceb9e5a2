// Operations of the Session API: signing in with a password or a one-time link.
import * as v from 'valibot';
import { admin } from '../../schemas/admin.ts';
import { maybe } from '../../schemas/base/described.ts';
import { schemas } from '../../schemas/chat.ts';
import { sessions } from '../../schemas/session.ts';
import { mutation, operations, query } from '../operation.ts';

const workspaceId = maybe(schemas.id);

export const signIn = operations({
  getSignInOptions: query({
    route: 'GET /options',
    summary: 'Returns the ways to sign in that this server offers.',
    auth: 'none',
    output: sessions.options,
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
    input: v.object({ email: admin.email, password: sessions.password, workspaceId }),
    output: sessions.signedIn,
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
    input: v.object({ currentPassword: sessions.password, password: sessions.newPassword }),
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
      'reset, `password` becomes their password, and all their other sessions end.',
    auth: 'none',
    hasSecrets: true,
    errors: ['Unauthorized', 'Forbidden'],
    input: v.object({ token: sessions.linkToken, password: maybe(sessions.newPassword) }),
    output: sessions.signedIn,
    sample: { token: 'TOKEN' },
    examples: [{ token: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }],
  }),
});
