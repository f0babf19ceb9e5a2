// Operations of the Admin API: workspaces.
import * as v from 'valibot';
import { admin } from '../../schemas/admin.ts';
import { schemas } from '../../schemas/chat.ts';
import { mutation, operations, query } from '../operation.ts';

const response = v.object({ workspace: admin.workspace });

export const workspaces = operations({
  listWorkspaces: query({
    route: 'GET /workspaces',
    summary:
      'Lists the workspaces that the token can access: for an operator all workspaces of the server, by id; for ' +
      'other members their own; for a bot none.',
    auth: 'token',
    errors: ['InvalidQuery'],
    input: v.object(schemas.sizedPage),
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
    summary: 'Changes the name of the workspace of the token. An operator can change any workspace.',
    auth: 'workspace',
    permission: 'workspaces.update',
    errors: ['ResourceNotFound'],
    input: v.object({ name: v.exactOptional(admin.name) }),
    output: response,
    examples: [{ id: '<<workspace>>', name: 'One' }],
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
      '`value`.',
    auth: 'workspace',
    permission: 'workspaces.create',
    errors: ['AlreadyExists'],
    input: v.object({ name: admin.name, email: admin.email }),
    output: v.object({ workspace: admin.workspace, token: admin.token, value: v.string() }),
    examples: [{ name: 'Two', email: 'two@example.com' }],
  }),

  getAccount: query({
    route: 'GET /account/me',
    summary: 'Returns the member who owns the personal token.',
    auth: 'token',
    errors: ['ResourceNotFound'],
    output: v.object({ account: admin.account }),
  }),
});
