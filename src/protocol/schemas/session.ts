// Schemas of the Session API: inputs, with the limits of each text, and responses.
import * as v from 'valibot';
import { type Permission, principalKinds } from '../admin/permissions.ts';
import type { Session, SignedIn, SignInOptions } from '../admin/session.ts';
import { limits } from '../limits.ts';
import { admin } from './admin.ts';
import { schemaOf } from './base/schema-of.ts';
import { schemas } from './chat.ts';

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

const session = schemaOf<Session>()(
  v.object({
    id: v.string(),
    createdAt: admin.timestamp,
    seenAt: admin.timestamp,
    expiresAt: admin.timestamp,
    method: v.picklist(['password', 'link', 'oidc']),
    userAgent: v.string(),
    network: v.exactOptional(v.string()),
    isCurrent: v.boolean(),
  }),
);

const signedIn = schemaOf<SignedIn>()(
  v.object({
    session,
    member: admin.member,
    workspace: v.object({ id: v.string(), name: v.string() }),
    principal: v.picklist(principalKinds.filter((one) => one !== 'public')),
    permissions: v.array(v.pipe(v.string() as v.GenericSchema<Permission>)),
    hasPassword: v.boolean(),
  }),
);

const options = schemaOf<SignInOptions>()(
  v.object({
    password: v.boolean(),
    link: v.boolean(),
    oidc: v.exactOptional(v.string()),
  }),
);

export const sessions = { newPassword, password, linkToken, session, signedIn, options };

/** The schemas that have a name in the OpenAPI document. */
export const sessionComponents = { Session: session, SignedIn: signedIn, SignInOptions: options };
