// Schemas of the Admin API: inputs, with the limits of each text, and responses.
import * as v from 'valibot';
import type { Account, ApiKey, CurrentToken, Deployment, Member, Token, Workspace } from '../admin/admin.ts';
import type { AuditEntry } from '../admin/audit.ts';
import { type Permission, principalKinds, roles } from '../admin/permissions.ts';
import { emailPattern } from '../handling/email-address.ts';
import { botCodePattern, limits } from '../limits.ts';
import { agentDeployment, newAgent } from './agents.ts';
import { schemaOf } from './base/schema-of.ts';
import { maybe, timestamp } from './base/values.ts';
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

const deployment = schemaOf<Deployment>()(
  v.object({
    webhookId: v.string(),
    chatUrl: v.string(),
    code: maybe(v.string()),
    webhookUrl: maybe(v.string()),
    agent: maybe(agentDeployment),
    webhookFormat: maybe(v.literal('hosted')),
    outgoingEvents: maybe(v.boolean()),
    visitorHandoff: maybe(v.boolean()),
    ratings: maybe(v.boolean()),
    readReceipts: maybe(v.boolean()),
    returnUrl: maybe(v.string()),
    knowledgeResults: maybe(v.number()),
    signingSecret: maybe(v.string()),
    userKeySecret: maybe(v.string()),
  }),
);

const workspace = schemaOf<Workspace>()(
  v.object({
    ...texts,
    updatedAt: timestamp,
    name: v.string(),
    ownerId: v.string(),
    botCount: v.number(),
    billingVersion: v.literal('v4'),
    plan: v.literal('community'),
    blocked: v.literal(false),
    spendingLimit: v.literal(0),
    activeTrialId: v.null(),
    isPublic: v.literal(false),
    about: maybe(v.string()),
    profilePicture: maybe(v.string()),
    contactEmail: maybe(v.string()),
    website: maybe(v.string()),
    socialAccounts: maybe(v.array(v.string())),
  }),
);

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
const member = schemaOf<Member>()(
  v.object({
    ...texts,
    email: v.string(),
    role,
    displayName: maybe(v.string()),
    profilePicture: maybe(v.string()),
  }),
);

const account = schemaOf<Account>()(
  v.object({
    ...texts,
    email: v.string(),
    emailVerified: v.boolean(),
    displayName: maybe(v.string()),
    profilePicture: maybe(v.string()),
  }),
);

const apiKey = schemaOf<ApiKey>()(v.object({ ...texts, note: v.string() }));

const kind = v.picklist(['personal', 'bot', 'integration']);
const token = schemaOf<Token>()(
  v.object({
    ...texts,
    name: v.string(),
    kind,
    memberId: maybe(v.string()),
    botId: maybe(v.string()),
    integration: maybe(v.string()),
    expiresAt: maybe(timestamp),
  }),
);

const currentToken = schemaOf<CurrentToken>()(
  v.object({
    ...token.entries,
    workspaceId: v.string(),
    principal: v.picklist(principalKinds.filter((one) => one !== 'public')),
    permissions: v.array(v.pipe(v.string() as v.GenericSchema<Permission>)),
  }),
);

const auditEntry = schemaOf<AuditEntry>()(
  v.object({
    ...texts,
    actor: v.object({
      kind: v.picklist([...principalKinds, 'server']),
      tokenId: maybe(v.string()),
      sessionId: maybe(v.string()),
      memberId: maybe(v.string()),
      email: maybe(v.string()),
      workspaceId: maybe(v.string()),
    }),
    operation: v.string(),
    target: v.record(v.string(), v.string()),
    network: maybe(v.string()),
    status: v.number(),
  }),
);

export const admin = {
  name,
  email,
  webhookId,
  code,
  webhookUrl,
  agent: newAgent(webhookUrl),
  deployment,
  workspace,
  role,
  workspaceProfile,
  member,
  address,
  account,
  apiKey,
  kind,
  token,
  currentToken,
  auditEntry,
  timestamp,
};

/** The schemas that have a name in the OpenAPI document. */
export const adminComponents = {
  Deployment: deployment,
  Workspace: workspace,
  Member: member,
  Account: account,
  ApiKey: apiKey,
  Token: token,
  CurrentToken: currentToken,
  AuditEntry: auditEntry,
};
