// Admin operations on workspaces, and the account that a personal token belongs to.
import { isPermitted } from '../../../protocol/admin/permissions.ts';
import { limits } from '../../../protocol/limits.ts';
import { workspaces } from '../../../protocol/operations/admin/workspaces.ts';
import { cutPage, decodeCursor, isText } from '../../api/cursor.ts';
import { ApiError } from '../../api/errors.ts';
import { issueToken } from '../../auth/tokens.ts';
import {
  findMember,
  findWorkspace,
  isFirstWorkspace,
  listWorkspaces,
  renameWorkspace,
} from '../../storage/admin/workspaces.ts';
import { existingWorkspace, missing, tokenExpiryOf } from '../find.ts';
import { createWorkspace } from '../first-start.ts';
import { removeWorkspace } from '../removal.ts';
import { serializeAccount, serializeToken, serializeWorkspace } from '../serializers.ts';
import { handle } from './services.ts';

export const workspaceHandlers = [
  handle(
    workspaces.listWorkspaces,
    async ({ tx, caller: { kind, workspaceId }, input: { nextToken, pageSize = limits.pageSize } }) => {
      if (isPermitted(kind, 'workspaces.list')) {
        const after = decodeCursor('workspaces', nextToken, isText);
        const found = await listWorkspaces(tx, after, pageSize + 1);
        const { rows, meta } = cutPage('workspaces', found, pageSize, (row) => row.id);
        return { body: { workspaces: rows.map(serializeWorkspace), meta } };
      }
      // The list always fits one page, so every nextToken is invalid.
      decodeCursor('workspaces', nextToken, (_): _ is never => false);
      const found = isPermitted(kind, 'workspaces.read') ? await findWorkspace(tx, workspaceId) : undefined;
      return { body: { workspaces: found ? [serializeWorkspace(found)] : [], meta: {} } };
    },
  ),

  handle(
    workspaces.getWorkspace,
    async ({ tx, caller, params }) => ({
      body: { workspace: serializeWorkspace(await existingWorkspace(tx, caller, params.id)) },
    }),
    {
      auditWorkspace: ({ params }) => params.id,
    },
  ),

  handle(
    workspaces.updateWorkspace,
    async ({ tx, caller, params, input, services }) => {
      const found = await existingWorkspace(tx, caller, params.id);
      const { name = found.name } = input;
      if (name === found.name) return { body: { workspace: serializeWorkspace(found) } };
      const updatedAt = services.now();
      await renameWorkspace(tx, found.id, name, updatedAt);
      return { body: { workspace: serializeWorkspace({ ...found, name, updatedAt }) } };
    },
    {
      auditWorkspace: ({ params }) => params.id,
    },
  ),

  handle(
    workspaces.deleteWorkspace,
    async ({ tx, caller, params, services }) => {
      const { id } = await existingWorkspace(tx, caller, params.id);
      if (await isFirstWorkspace(tx, id)) {
        throw new ApiError('Forbidden', 'This is the first workspace of the server; it cannot be deleted.');
      }
      await removeWorkspace(tx, id, services);
      return { body: {} };
    },
    {
      auditWorkspace: ({ params }) => params.id,
    },
  ),

  handle(workspaces.createWorkspace, async ({ tx, caller, input: { name, email }, services }) => {
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
      // A stolen token must not create one with a longer lifetime.
      expiresAt: await tokenExpiryOf(tx, caller),
    });
    return {
      body: {
        workspace: serializeWorkspace({ id, name, createdAt: now, updatedAt: now }),
        token: serializeToken(row),
      },
      resource: id,
      oneTimeFields: { value: token },
    };
  }),

  handle(workspaces.getAccount, async ({ tx, caller: { workspaceId, memberId } }) => {
    const member = memberId === undefined ? undefined : await findMember(tx, workspaceId, memberId);
    return { body: { account: serializeAccount(member ?? missing('account')) } };
  }),
];
