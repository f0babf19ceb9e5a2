// Schemas of the Session API: inputs, with the limits of each text, and responses.
import * as v from 'valibot';
import { limits } from '../limits.ts';
import { principalKinds } from '../permissions.ts';
import { admin } from './admin.ts';
import { schemas } from './chat.ts';
import { described, describedObject, maybe } from './values.ts';

/** A password of any characters: there are no rules about which. Spaces at its ends belong to it. */
const newPassword = v.pipe(
  schemas.whole,
  v.check(
    (text) => [...text].length >= limits.passwordMin && [...text].length <= limits.passwordMax,
    `Expected ${limits.passwordMin} to ${limits.passwordMax} characters.`,
  ),
);

/** A password that is compared: longer texts are refused before they are hashed. */
const password = v.pipe(schemas.whole, v.maxLength(4 * limits.passwordMax));

/** The token of a one-time link. */
const linkToken = v.pipe(schemas.id, v.maxLength(100));

const session = describedObject('A browser in which a member has signed in.', {
  id: v.string(),
  createdAt: admin.timestamp,
  seenAt: described(admin.timestamp, 'The last request, to the minute.'),
  expiresAt: described(
    admin.timestamp,
    'When it ends, if it is used until then. Without a request it ends after 12 hours.',
  ),
  method: described(v.picklist(['password', 'link', 'oidc']), 'How the member has signed in.'),
  userAgent: described(v.string(), 'The `User-Agent` header of the browser.'),
  network: maybe(
    v.string(),
    'The IP address at the sign-in; of IPv6 its /64 network. Absent if it is unknown.',
  ),
  isCurrent: described(v.boolean(), 'Whether it is the session of the request.'),
});

const signedIn = describedObject('The member who has signed in, with their permissions.', {
  session,
  member: admin.member,
  workspace: v.object({ id: v.string(), name: v.string() }),
  principal: v.picklist(principalKinds.filter((kind) => kind !== 'public')),
  permissions: admin.permissions,
  hasPassword: described(v.boolean(), 'Whether the member can sign in with a password.'),
});

const options = describedObject('The ways to sign in that the server offers.', {
  password: v.boolean(),
  link: described(v.boolean(), 'One-time links by e-mail.'),
  oidc: maybe(v.string(), 'The name of another service (OpenID Connect).'),
});

export const sessionSchemas = { newPassword, password, linkToken, session, signedIn, options };

export const types = { Session: session, SignedIn: signedIn, SignInOptions: options };
