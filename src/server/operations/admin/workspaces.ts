// Workspaces, and the account behind a personal token.
import * as v from 'valibot';
import { isPermitted } from '../../../protocol/permissions.ts';
import { decodeCursor } from '../../cursor.ts';
import { findMember, findWorkspace, renameWorkspace } from '../../db/workspaces.ts';
import { reading, writing } from '../../operation.ts';
import { schemas } from '../../schemas.ts';
import { issueToken } from '../../tokens.ts';
import { makeWorkspace } from '../../workspace.ts';
import { endOf, missing } from './find.ts';
import { admin } from './schemas.ts';
import { toAccount, toToken, toWorkspace } from './words.ts';

const response = v.object({ workspace: admin.workspace });

export const workspaces = [
  reading({
    id: 'listWorkspaces',
    method: 'GET',
    path: '/workspaces',
    summary: 'Lists the workspaces that the token opens: that of its member, none for a bot.',
    auth: 'token',
    errors: ['InvalidQuery'],
    status: 200,
    query: v.object(schemas.sizedPage),
    response: v.object({ workspaces: v.array(admin.workspace), meta: schemas.meta }),
    async run({ tx, caller: { kind, workspaceId }, query }) {
      // One page has them all, so that no token was ever given out.
      decodeCursor('workspaces', query.nextToken, (_): _ is never => false);
      const found = isPermitted(kind, 'workspaces.read') ? await findWorkspace(tx, workspaceId) : undefined;
      return { body: { workspaces: found ? [toWorkspace(found)] : [], meta: {} } };
    },
  }),

  reading({
    id: 'getWorkspace',
    method: 'GET',
    path: '/workspaces/{id}',
    summary: 'Gives the workspace of the token.',
    auth: 'workspace',
    permission: 'workspaces.read',
    errors: ['ResourceNotFound'],
    status: 200,
    response,
    async run({ tx, caller: { workspaceId }, params: { id } }) {
      const found = id === workspaceId ? await findWorkspace(tx, id) : undefined;
      return { body: { workspace: toWorkspace(found ?? missing('workspace')) } };
    },
  }),

  writing({
    id: 'updateWorkspace',
    method: 'PUT',
    path: '/workspaces/{id}',
    summary: 'Changes the name of the workspace of the token.',
    auth: 'workspace',
    permission: 'workspaces.update',
    errors: ['ResourceNotFound'],
    status: 200,
    body: v.object({ name: v.exactOptional(admin.name) }),
    response,
    async run({ tx, caller: { workspaceId }, params: { id }, body, services }) {
      const found = (id === workspaceId && (await findWorkspace(tx, id))) || missing('workspace');
      const { name = found.name } = body;
      if (name === found.name) return { body: { workspace: toWorkspace(found) } };
      const updatedAt = services.now();
      await renameWorkspace(tx, found.id, name, updatedAt);
      return { body: { workspace: toWorkspace({ ...found, name, updatedAt }) } };
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
      const { id, owner } = await makeWorkspace(tx, { name, email, now });
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
