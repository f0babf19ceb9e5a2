// Operations of the Admin API: workspaces.
import * as v from 'valibot';
import { admin } from '../../schemas/admin.ts';
import { maybe } from '../../schemas/base/described.ts';
import { schemas } from '../../schemas/chat.ts';
import { mutation, operations, query } from '../operation.ts';

/** The fields of the workspace itself, as the hosted product returns them, and the workspace as one value. */
const response = v.object({ ...admin.workspace.entries, workspace: admin.workspace });

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
    output: response,
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
    output: response,
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
    output: v.object({ ...response.entries, token: admin.token, value: v.string() }),
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
