// Operations of the Admin API: workspaces, their members and their audit log.
import * as v from 'valibot';
import { limits } from '../../limits.ts';
import { admin, auditEntry } from '../../schemas/admin.ts';
import { schemas } from '../../schemas/chat.ts';
import { maybe } from '../../schemas/values.ts';
import { mutation, operations, query } from '../operation.ts';

const displayName = admin.name;

export const members = operations({
  listWorkspaceMembers: query({
    route: 'GET /workspace-members',
    summary:
      'Lists the members of the workspace, in the order in which they joined; with `search`, those whose name or e-mail address ' +
      'contains the text.',
    auth: 'workspace',
    permission: 'members.read',
    errors: ['InvalidQuery'],
    input: v.object({ ...schemas.sizedPage, search: maybe(v.pipe(schemas.id, v.maxLength(limits.email))) }),
    output: v.object({ members: v.array(admin.member), meta: schemas.meta }),
    examples: [{ search: 'ann' }],
  }),

  getWorkspaceMember: query({
    route: 'GET /workspace-members/me',
    summary: 'Returns the member who owns the token.',
    auth: 'workspace',
    permission: 'members.read',
    errors: ['ResourceNotFound'],
    output: admin.member,
  }),

  createWorkspaceMember: mutation({
    route: 'POST /workspace-members',
    summary:
      'Adds a member with a role that is not higher than the caller’s. The member signs in with a token or a ' +
      'link that is created for them.',
    auth: 'workspace',
    permission: 'members.write',
    errors: ['AlreadyExists'],
    input: v.object({
      email: admin.email,
      role: admin.role,
      displayName: maybe(displayName),
    }),
    output: admin.member,
    sample: { email: 'ada@example.com', role: 'developer', displayName: 'Ada' },
    examples: [{ email: 'of-<<user>>@example.com', role: 'developer', displayName: 'Ann' }],
  }),

  updateWorkspaceMember: mutation({
    route: 'PUT /workspace-members/{id}',
    summary:
      'Changes the role, the e-mail address or the name of a member whose role is not higher than the caller’s. Another ' +
      'address needs `tokens.write`, because who has it can sign in as the member; it ends the member’s sessions, links ' +
      'and password.',
    auth: 'workspace',
    permission: 'members.write',
    errors: ['ResourceNotFound', 'AlreadyExists', 'ReferenceConstraint'],
    input: v.object({
      role: maybe(admin.role),
      email: maybe(admin.email),
      displayName: maybe(v.nullable(displayName)),
    }),
    output: admin.member,
    sample: { id: '<<member>>', role: 'manager', displayName: 'Ada' },
    examples: [
      { id: '<<member>>', role: 'manager', displayName: null },
      { id: '<<member>>', email: 'at-<<member>>@example.com', displayName: 'Ann' },
    ],
  }),

  deleteWorkspaceMember: mutation({
    route: 'DELETE /workspace-members/{id}',
    summary:
      'Removes a member whose role is not higher than the caller’s. Their tokens become invalid, and their sessions end.',
    auth: 'workspace',
    permission: 'members.write',
    errors: ['ResourceNotFound', 'ReferenceConstraint'],
    output: schemas.nothing,
    examples: [{ id: '<<member>>' }],
  }),

  createMemberLink: mutation({
    route: 'POST /workspace-members/{id}/links',
    summary:
      'Creates a one-time link with which a member whose role is not higher than the caller’s signs in: an invitation ' +
      '(7 days), a sign-in or a reset of their password (15 minutes). `delivery`: `mail` sends it to the member, and ' +
      '`return` (default, needs `tokens.write`) returns its `url`, once.',
    auth: 'workspace',
    permission: 'members.write',
    errors: ['ResourceNotFound', 'AlreadyExists'],
    input: v.object({
      purpose: v.picklist(['invitation', 'sign-in', 'reset']),
      delivery: maybe(v.picklist(['return', 'mail'])),
    }),
    output: v.object({ expiresAt: admin.timestamp, url: maybe(v.string()) }),
    examples: [{ id: '<<member>>', purpose: 'invitation' }],
  }),
});

const auditFilter = v.object({
  ...schemas.sizedPage,
  actor: maybe(v.pipe(schemas.id, v.maxLength(limits.email))),
  operation: maybe(v.pipe(schemas.id, v.maxLength(limits.adminName))),
  after: maybe(admin.timestamp),
  before: maybe(admin.timestamp),
  workspaceId: maybe(v.pipe(schemas.id, v.maxLength(limits.adminName))),
});

export const audit = operations({
  listAuditLog: query({
    route: 'GET /audit',
    summary:
      'Lists the audit trail of the workspace, newest first. An operator can name another workspace with ' +
      '`workspaceId`, also a deleted one.',
    auth: 'workspace',
    permission: 'audit.read',
    errors: ['InvalidQuery'],
    input: auditFilter,
    output: v.object({ entries: v.array(auditEntry), meta: schemas.meta }),
  }),
});

/** The fields of the workspace itself, as the hosted product returns them, and the workspace as one value. */
const workspaceResponse = v.object({ ...admin.workspace.entries, workspace: admin.workspace });

export const workspaces = operations({
  listWorkspaces: query({
    route: 'GET /workspaces',
    summary:
      'Lists the workspaces that the token can access: for an operator all workspaces of the server, by id; for ' +
      'other members their own; for a bot none. No workspace has a `handle`.',
    auth: 'token',
    errors: ['InvalidQuery'],
    input: v.object({ ...schemas.sizedPage, handle: maybe(schemas.id) }),
    output: v.object({ workspaces: v.array(admin.workspace), meta: schemas.meta }),
  }),

  getWorkspace: query({
    route: 'GET /workspaces/{id}',
    summary: 'Returns the workspace of the token. An operator can read any workspace.',
    auth: 'workspace',
    permission: 'workspaces.read',
    errors: ['ResourceNotFound'],
    output: workspaceResponse,
    examples: [{ id: '<<workspace>>' }],
  }),

  updateWorkspace: mutation({
    route: 'PUT /workspaces/{id}',
    summary:
      'Changes the name or the profile of the workspace of the token. An operator can change any workspace. An empty ' +
      'text removes a field of the profile.',
    auth: 'workspace',
    permission: 'workspaces.update',
    errors: ['ResourceNotFound'],
    input: v.object({ name: maybe(admin.name), ...admin.workspaceProfile }),
    output: workspaceResponse,
    sample: { id: '<<workspace>>', name: 'Example Shop' },
    examples: [
      { id: '<<workspace>>', name: 'One' },
      { id: '<<workspace>>', about: 'We sell shoes.', website: 'https://example.com', socialAccounts: [] },
    ],
  }),

  deleteWorkspace: mutation({
    route: 'DELETE /workspaces/{id}',
    summary:
      'Deletes a workspace with its members, tokens and bots, and all data of the bots. Only operators can do ' +
      'this. The first workspace of the server cannot be deleted.',
    auth: 'workspace',
    permission: 'workspaces.delete',
    errors: ['Forbidden', 'ResourceNotFound'],
    output: schemas.nothing,
    examples: [{ id: '<<workspace>>' }],
  }),

  createWorkspace: mutation({
    route: 'POST /workspaces',
    summary:
      'Creates another workspace, with an owner and their first token. Only this response contains the token’s ' +
      '`value`. Without `email`, the owner has the address of the caller.',
    auth: 'workspace',
    permission: 'workspaces.create',
    errors: ['AlreadyExists'],
    input: v.object({
      name: admin.name,
      email: maybe(admin.email),
      billingVersion: maybe(v.literal('v4', 'The only billing version is v4.')),
    }),
    output: v.object({ ...workspaceResponse.entries, token: admin.token, value: v.string() }),
    sample: { name: 'Example Shop', email: 'ada@example.com' },
    examples: [{ name: 'Two', email: 'two@example.com' }, { name: 'Three' }],
  }),

  getAccount: query({
    route: 'GET /account/me',
    summary: 'Returns the member who owns the personal token.',
    auth: 'token',
    errors: ['ResourceNotFound'],
    output: v.object({ account: admin.account }),
  }),

  updateAccount: mutation({
    route: 'PUT /account/me',
    summary:
      'Changes the name or the picture of the member who owns the personal token. An empty text removes it.',
    auth: 'token',
    errors: ['ResourceNotFound'],
    input: v.object({
      displayName: maybe(v.union([v.literal(''), admin.name])),
      profilePicture: maybe(admin.address),
      refresh: maybe(v.boolean()),
    }),
    output: v.object({ account: admin.account }),
    examples: [{ displayName: 'Ann', profilePicture: 'https://example.com/ann.png' }],
  }),
});
