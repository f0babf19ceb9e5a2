// Operations of the Admin API: members.
import * as v from 'valibot';
import { admin } from '../../schemas/admin.ts';
import { maybe } from '../../schemas/base/described.ts';
import { schemas } from '../../schemas/chat.ts';
import { mutation, operations, query } from '../operation.ts';

const displayName = admin.name;

export const members = operations({
  listWorkspaceMembers: query({
    route: 'GET /workspace-members',
    summary: 'Lists the members of the workspace, in the order in which they joined.',
    auth: 'workspace',
    permission: 'members.read',
    errors: ['InvalidQuery'],
    input: v.object(schemas.sizedPage),
    output: v.object({ members: v.array(admin.member), meta: schemas.meta }),
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
