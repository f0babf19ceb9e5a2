// Schemas of the Admin API: workspaces, members, tokens and the audit log, with the limits of each text.
import * as v from 'valibot';
import { botCodePattern, limits } from '../limits.ts';
import { type Permission, principalKinds, roles } from '../permissions.ts';
import { emailPattern } from '../visitors.ts';
import { schemas } from './chat.ts';
import { boundedArray, described, describedObject, maybe, timestamp, writtenType } from './values.ts';
import { email } from './visitors.ts';

const actor = describedObject(
  'The author of the action. `server`: the server at its start, with the setting ADMIN_TOKEN or before any token exists, and when ' +
    'it removes data because of its age. `public`: somebody who tried to sign in as the member in `target`.',
  {
    kind: v.picklist([...principalKinds, 'server']),
    tokenId: maybe(v.string(), 'Absent for `server` and `public`.'),
    sessionId: maybe(
      v.string(),
      'Instead of a token: the session of a member who has signed in to a page of the server.',
    ),
    memberId: maybe(v.string(), 'Only for members.'),
    email: maybe(v.string(), 'The e-mail address of the member at that time.'),
    workspaceId: maybe(
      v.string(),
      "The actor's own workspace, if it is another one: the actor is an operator of the server.",
    ),
  },
);

export const auditEntry = describedObject(
  'One action, or one refused attempt. Entries are never changed, and deleted only by age.',
  {
    id: v.string(),
    createdAt: timestamp,
    actor,
    operation: described(
      v.string(),
      'The id of the operation, such as `deleteBot`; the server itself logs `setAdminToken` and `applyRetention`.',
    ),
    target: described(
      v.record(v.string(), v.string()),
      'The ids of the affected resources, by name. `resource` is the created resource. For ' +
        '`applyRetention` also how many `conversations`, `files`, `contacts` or `users` were removed.',
    ),
    network: maybe(
      v.string(),
      'The IP address of the request; of IPv6 its /64 network. Absent if it is unknown.',
    ),
    status: described(v.number(), 'The HTTP status of the response.'),
  },
);

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
const permissions = v.array(writtenType<Permission>('Permission', 'permissions.ts', v.string()));

const currentToken = describedObject('The token of the request, with what it grants access to.', {
  ...token.entries,
  workspaceId: v.string(),
  principal: described(
    v.picklist(principalKinds.filter((kind) => kind !== 'public')),
    'The row of the permission table that applies to it.',
  ),
  permissions,
});

const optionalCount = maybe(v.number());

const botUsage = describedObject(
  'Data that the visitors of a bot have stored, and have sent in this clock hour. Messages of the bot and of the team do not count.',
  {
    id: v.string(),
    name: v.string(),
    conversations: described(v.number(), 'At most 100,000 are counted.'),
    messages: v.number(),
    files: v.number(),
    bytes: v.number(),
    hourMessages: v.number(),
    hourBytes: v.number(),
  },
);

const usageLimits = describedObject(
  'The limits of the visitors of one bot together, which are settings of the server. A field that is left out has no limit.',
  {
    messages: optionalCount,
    files: optionalCount,
    bytes: optionalCount,
    hourMessages: optionalCount,
    hourBytes: optionalCount,
  },
);

const serverState = describedObject('The state of the server, without secrets.', {
  version: v.string(),
  database: v.object({ engine: v.picklist(['sqlite', 'postgres']), bytes: v.number() }),
  files: described(v.picklist(['folder', 'object-store']), 'Where the bytes of files are kept.'),
  disk: maybe(
    v.object({
      freeBytes: v.number(),
      totalBytes: v.number(),
      reserveBytes: described(v.number(), 'Below it, visitors cannot write.'),
    }),
    'The disk of the data folder. Absent if the file system does not report it.',
  ),
  mail: maybe(
    v.object({
      from: v.string(),
      address: described(v.string(), 'The address with which links in mails begin.'),
    }),
    'The sender of mails. Absent if the server sends no mail.',
  ),
  backup: maybe(
    v.object({ createdAt: timestamp, bytes: v.number() }),
    'The last backup of the data folder with the command `backup`: when it ended, and the size of its database. Absent if none is known.',
  ),
});

export const admin = {
  name,
  email,
  webhookId,
  code,
  webhookUrl,
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
  botUsage,
  usageLimits,
  serverState,
  timestamp,
};

export const types = {
  AuditActor: actor,
  AuditEntry: auditEntry,
  WorkspaceProfile: profile,
  Workspace: workspace,
  Member: member,
  Account: account,
  ApiKey: apiKey,
  TokenKind: kind,
  Token: token,
  CurrentToken: currentToken,
  BotUsage: botUsage,
  UsageLimits: usageLimits,
  ServerState: serverState,
};
