// Workspaces, and the account behind a personal token.
import * as v from 'valibot';
import { limits } from '../../../protocol/limits.ts';
import { isPermitted } from '../../../protocol/permissions.ts';
import { cutPage, decodeCursor, isText } from '../../api/cursor.ts';
import { ApiError } from '../../api/errors.ts';
import { schemas } from '../../api/schemas.ts';
import { issueToken } from '../../auth/tokens.ts';
import { reading, writing } from '../../operations/operation.ts';
import {
  findMember,
  findWorkspace,
  isFirstWorkspace,
  listWorkspaces,
  renameWorkspace,
} from '../../storage/admin/workspaces.ts';
import { endOf, existingWorkspace, missing } from '../find.ts';
import { createWorkspace } from '../first-start.ts';
import { removeWorkspace } from '../removal.ts';
import { admin } from '../schemas.ts';
import { toAccount, toToken, toWorkspace } from '../serializers.ts';

const response = v.object({ workspace: admin.workspace });

export const workspaces = [
  reading({
    id: 'listWorkspaces',
    method: 'GET',
    path: '/workspaces',
    summary:
      'Lists the workspaces that the token opens: for an operator all of the server, by id; for other members their ' +
      'own; none for a bot.',
    auth: 'token',
    errors: ['InvalidQuery'],
    status: 200,
    query: v.object(schemas.sizedPage),
    response: v.object({ workspaces: v.array(admin.workspace), meta: schemas.meta }),
    async run({ tx, caller: { kind, workspaceId }, query: { nextToken, pageSize = limits.pageSize } }) {
      if (isPermitted(kind, 'workspaces.list')) {
        const after = decodeCursor('workspaces', nextToken, isText);
        const found = await listWorkspaces(tx, after, pageSize + 1);
        const { rows, meta } = cutPage('workspaces', found, pageSize, (row) => row.id);
        return { body: { workspaces: rows.map(toWorkspace), meta } };
      }
      // One page has them all, so that no token was ever given out.
      decodeCursor('workspaces', nextToken, (_): _ is never => false);
      const found = isPermitted(kind, 'workspaces.read') ? await findWorkspace(tx, workspaceId) : undefined;
      return { body: { workspaces: found ? [toWorkspace(found)] : [], meta: {} } };
    },
  }),

  reading({
    id: 'getWorkspace',
    auditWorkspace: ({ params }) => params.id,
    method: 'GET',
    path: '/workspaces/{id}',
    summary: 'Returns the workspace of the token; to an operator any workspace.',
    auth: 'workspace',
    permission: 'workspaces.read',
    errors: ['ResourceNotFound'],
    status: 200,
    response,
    run: async ({ tx, caller, params }) => ({
      body: { workspace: toWorkspace(await existingWorkspace(tx, caller, params.id)) },
    }),
  }),

  writing({
    id: 'updateWorkspace',
    auditWorkspace: ({ params }) => params.id,
    method: 'PUT',
    path: '/workspaces/{id}',
    summary: 'Changes the name of the workspace of the token; an operator changes that of any workspace.',
    auth: 'workspace',
    permission: 'workspaces.update',
    errors: ['ResourceNotFound'],
    status: 200,
    body: v.object({ name: v.exactOptional(admin.name) }),
    response,
    async run({ tx, caller, params, body, services }) {
      const found = await existingWorkspace(tx, caller, params.id);
      const { name = found.name } = body;
      if (name === found.name) return { body: { workspace: toWorkspace(found) } };
      const updatedAt = services.now();
      await renameWorkspace(tx, found.id, name, updatedAt);
      return { body: { workspace: toWorkspace({ ...found, name, updatedAt }) } };
    },
  }),

  writing({
    id: 'deleteWorkspace',
    auditWorkspace: ({ params }) => params.id,
    method: 'DELETE',
    path: '/workspaces/{id}',
    summary:
      'Deletes a workspace with its members, tokens and bots, and all that the bots hold. Only an operator may; the ' +
      'first workspace of the server stays.',
    auth: 'workspace',
    permission: 'workspaces.delete',
    errors: ['Forbidden', 'ResourceNotFound'],
    status: 200,
    response: schemas.nothing,
    async run({ tx, caller, params, services }) {
      const { id } = await existingWorkspace(tx, caller, params.id);
      if (await isFirstWorkspace(tx, id)) {
        throw new ApiError('Forbidden', 'This is the first workspace of the server; it cannot be deleted.');
      }
      await removeWorkspace(tx, id, services);
      return { body: {} };
    },
  }),

  writing({
    id: 'createWorkspace',
    method: 'POST',
    path: '/workspaces',
    summary:
      'Makes a workspace beside this one, with an owner and their first token. Its `value` is shown this once.',
    auth: 'workspace',
    permission: 'workspaces.create',
    errors: ['AlreadyExists'],
    status: 200,
    body: v.object({ name: admin.name, email: admin.email }),
    response: v.object({ workspace: admin.workspace, token: admin.token, value: v.string() }),
    async run({ tx, caller, body: { name, email }, services }) {
      const now = services.now();
      const { id, owner } = await createWorkspace(tx, { name, email, now });
      const { row, token } = await issueToken(tx, {
        workspaceId: id,
        kind: 'personal',
        memberId: owner.id,
        botId: null,
        integration: null,
        name: 'First token',
        createdAt: now,
        // Who stole a token for an hour has no workspace for longer.
        expiresAt: await endOf(tx, caller),
      });
      return {
        body: { workspace: toWorkspace({ id, name, createdAt: now, updatedAt: now }), token: toToken(row) },
        resource: id,
        shownOnce: { value: token },
      };
    },
  }),

  reading({
    id: 'getAccount',
    method: 'GET',
    path: '/account/me',
    summary: 'Gives the member behind a personal token.',
    auth: 'token',
    errors: ['ResourceNotFound'],
    status: 200,
    response: v.object({ account: admin.account }),
    async run({ tx, caller: { workspaceId, memberId } }) {
      const member = memberId === undefined ? undefined : await findMember(tx, workspaceId, memberId);
      return { body: { account: toAccount(member ?? missing('account')) } };
    },
  }),
];
