// Operations of the Session API: sign-in with another service (OpenID Connect).
import * as v from 'valibot';
import { maybe } from '../../schemas/base/described.ts';
import { schemas } from '../../schemas/chat.ts';
import { sessions } from '../../schemas/session.ts';
import { mutation, operations } from '../operation.ts';

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
    output: sessions.signedIn,
    sample: { query: 'code=CODE&state=STATE' },
    examples: [{ query: 'code=none&state=none' }],
  }),
});
