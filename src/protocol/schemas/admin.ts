// Schemas of the Admin API: inputs, with the limits of each text, and responses.
import * as v from 'valibot';
import { type Permission, principalKinds, roles } from '../admin/permissions.ts';
import { emailPattern } from '../handling/email-address.ts';
import { botCodePattern, limits } from '../limits.ts';
import { newAgent } from './admin/agents.ts';
import { described, describedObject, maybe, writtenType } from './base/described.ts';
import { timestamp } from './base/values.ts';
import { schemas } from './chat.ts';
import { email } from './contact.ts';
import { boundedArray } from './pre-validation.ts';

const texts = { id: v.string(), createdAt: timestamp };

/** A display name. */
const name = v.pipe(
  schemas.id,
  v.trim(),
  v.nonEmpty('Expected a name that is not blank.'),
  v.maxLength(limits.adminName),
);

/** The last part of a chat's address. */
const webhookId = v.pipe(
  v.string(),
  v.regex(/^[\w-]{1,70}$/, 'Expected 1 to 70 letters, digits, `_` or `-`.'),
);

const code = v.pipe(
  v.string(),
  v.regex(botCodePattern, 'Expected the name of a module in the folder of bots, such as shop.mjs.'),
);

/** The address of a webhook. Only its form is checked here. */
const webhookUrl = v.pipe(
  schemas.id,
  v.maxLength(limits.webhookUrl),
  v.check(isWebAddress, 'Expected an http or https address, without user and password in it.'),
);

function isWebAddress(text: string): boolean {
  if (!/^https?:\/\/[^\s\\]+$/i.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === '' && password === '';
}

const profile = describedObject('The description that a workspace gives of itself.', {
  about: maybe(v.string()),
  profilePicture: maybe(v.string(), 'The address of a picture.'),
  contactEmail: maybe(v.string()),
  website: maybe(v.string()),
  socialAccounts: maybe(v.array(v.string())),
});

const workspace = v.object({
  ...texts,
  updatedAt: timestamp,
  name: v.string(),
  ownerId: described(v.string(), 'The member who became an owner first; empty if there is none.'),
  botCount: v.number(),
  billingVersion: described(
    v.literal('v4'),
    'This server has no billing and blocks no workspace: the following values are the same for all workspaces.',
  ),
  plan: v.literal('community'),
  blocked: v.literal(false),
  spendingLimit: v.literal(0),
  activeTrialId: v.null(),
  isPublic: v.literal(false),
  ...profile.entries,
});

/** A text of a profile; the empty text removes it. */
const profileText = v.pipe(schemas.whole, v.maxLength(limits.workspaceText));
const address = v.pipe(
  profileText,
  v.check((text) => text === '' || isWebAddress(text), 'Expected an http or https address.'),
);
/** The profile of a workspace as a caller sets it. A value that this server cannot have is refused. */
const workspaceProfile = {
  about: maybe(profileText),
  profilePicture: maybe(address),
  contactEmail: maybe(
    v.pipe(
      profileText,
      v.maxLength(limits.email),
      v.check((text) => text === '' || emailPattern.test(text), 'Expected an e-mail address.'),
    ),
  ),
  website: maybe(address),
  socialAccounts: maybe(boundedArray(profileText, limits.filterTags)),
  spendingLimit: maybe(v.literal(0, 'This server has no billing: the only spending limit is 0.')),
  isPublic: maybe(v.literal(false, 'Workspaces of this server are never public.')),
  handle: maybe(v.literal('', 'Workspaces of this server have no handles.')),
};

const role = v.picklist(roles);
const member = describedObject('A person with a role in a workspace.', {
  ...texts,
  email: v.string(),
  role,
  displayName: maybe(v.string()),
  profilePicture: maybe(v.string(), 'The address of a picture.'),
});

const account = describedObject('The member behind a personal token.', {
  ...texts,
  email: v.string(),
  emailVerified: described(
    v.boolean(),
    'Always false: this server does not send mail, so it cannot verify addresses.',
  ),
  displayName: maybe(v.string()),
  profilePicture: maybe(v.string()),
});

const apiKey = describedObject(
  'A token as the hosted product’s client lists it: a personal access token, or the API key of a bot.',
  { ...texts, note: described(v.string(), 'The name of the token.') },
);

const kind = described(
  v.picklist(['personal', 'bot', 'integration']),
  'The owner of a token: a member, a bot, or an integration of a bot.',
);
const token = describedObject('A token without its value, which is returned only on creation.', {
  ...texts,
  name: v.string(),
  kind,
  memberId: maybe(v.string(), 'Only for personal tokens.'),
  botId: maybe(v.string(), 'Only for the other two kinds: the one bot that the token grants access to.'),
  integration: maybe(v.string(), 'The name of the integration.'),
  expiresAt: maybe(timestamp, 'From then on the token is refused. Absent: it does not expire.'),
});

/** The permissions of a caller. */
const permissions = v.array(writtenType<Permission>('Permission', 'admin/permissions.ts', v.string()));

const currentToken = describedObject('The token of the request, with what it grants access to.', {
  ...token.entries,
  workspaceId: v.string(),
  principal: described(
    v.picklist(principalKinds.filter((one) => one !== 'public')),
    'The row of the permission table that applies to it.',
  ),
  permissions,
});

export const admin = {
  name,
  email,
  webhookId,
  code,
  webhookUrl,
  agent: newAgent(webhookUrl),
  workspace,
  role,
  workspaceProfile,
  member,
  address,
  account,
  apiKey,
  kind,
  token,
  permissions,
  currentToken,
  timestamp,
};

export const types = {
  WorkspaceProfile: profile,
  Workspace: workspace,
  Member: member,
  Account: account,
  ApiKey: apiKey,
  TokenKind: kind,
  Token: token,
  CurrentToken: currentToken,
};
