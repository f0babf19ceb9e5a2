// Admin operations on workspaces, and the account that a personal token belongs to.
import { limits } from '../../../protocol/limits.ts';
import { workspaces } from '../../../protocol/operations/admin/workspaces.ts';
import { isPermitted } from '../../../protocol/permissions.ts';
import type { WorkspaceProfile } from '../../../protocol/types/admin.ts';
import type { Principal } from '../../api/caller.ts';
import { ApiError } from '../../api/errors.ts';
import { cutPage, decodeCursor, isText } from '../../api/pages.ts';
import { issueToken } from '../../auth/tokens.ts';
import {
  findMember,
  findWorkspace,
  isFirstWorkspace,
  listWorkspaces,
  type MemberRow,
  updateMember,
  updateWorkspace,
  type WorkspaceRow,
} from '../../storage/admin/workspaces.ts';
import type { Tx } from '../../storage/database.ts';
import { existingWorkspace, missing, tokenExpiryOf } from '../find.ts';
import { createWorkspace } from '../first-start.ts';
import { removeWorkspace } from '../removal.ts';
import { serializeAccount, serializeToken, serializeWorkspace } from '../serializers.ts';
import { handle } from './services.ts';

export const workspaceHandlers = [
  handle(workspaces.listWorkspaces, async ({ tx, caller: { kind, workspaceId }, input }) => {
    const { nextToken, pageSize = limits.pageSize, handle: wanted } = input;
    const isList = isPermitted(kind, 'workspaces.list');
    // The list of other callers always fits one page, so every nextToken is invalid.
    const after = decodeCursor('workspaces', nextToken, isList ? isText : (_): _ is never => false);
    // No workspace has a handle.
    if (wanted !== undefined) return { body: { workspaces: [], meta: {} } };
    if (isList) {
      const found = await listWorkspaces(tx, after, pageSize + 1);
      const { rows, meta } = cutPage('workspaces', found, pageSize, (row) => row.id);
      return { body: { workspaces: rows.map(serializeWorkspace), meta } };
    }
    const found = isPermitted(kind, 'workspaces.read') ? await findWorkspace(tx, workspaceId) : undefined;
    return { body: { workspaces: found ? [serializeWorkspace(found)] : [], meta: {} } };
  }),

  handle(
    workspaces.getWorkspace,
    async ({ tx, caller, params }) => ({
      body: bothForms(await existingWorkspace(tx, caller, params.id)),
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
      const profile = changedProfile(found.profile, input);
      if (name === found.name && profile === found.profile) return { body: bothForms(found) };
      const changed = { ...found, name, profile, updatedAt: services.now() };
      await updateWorkspace(tx, changed);
      return { body: bothForms(changed) };
    },
    {
      // An operator can change one that is not their own.
      locks: ({ params }) => [`workspace:${params.id}`],
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
      locks: ({ params }) => [`workspace:${params.id}`],
      auditWorkspace: ({ params }) => params.id,
    },
  ),

  handle(workspaces.createWorkspace, async ({ tx, caller, input, services }) => {
    const now = services.now();
    // The permission is that of members, who have an address.
    const { name, email = caller.email ?? missing('account') } = input;
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
        ...bothForms((await findWorkspace(tx, id)) ?? missing('workspace')),
        token: serializeToken(row),
      },
      resource: id,
      oneTimeFields: { value: token },
    };
  }),

  handle(workspaces.getAccount, async ({ tx, caller }) => ({
    body: { account: serializeAccount(await memberOf(tx, caller)) },
  })),

  handle(workspaces.updateAccount, async ({ tx, caller, input, services }) => {
    const member = await memberOf(tx, caller);
    const changed = {
      ...member,
      // The empty text removes a field, because the hosted product's client cannot send null.
      displayName: (input.displayName ?? member.displayName) || null,
      profilePicture: (input.profilePicture ?? member.profilePicture) || null,
    };
    const store = () => updateMember(tx, changed);
    await services.transcript.handlings.changeMember(tx, member, changed, store);
    return { body: { account: serializeAccount(changed) } };
  }),
];

/** The member behind a personal token. Throws ResourceNotFound for the token of a bot or an integration. */
async function memberOf(tx: Tx, { homeWorkspaceId, memberId }: Principal): Promise<MemberRow> {
  const member = memberId === undefined ? undefined : await findMember(tx, homeWorkspaceId, memberId);
  return member ?? missing('account');
}

/** The workspace as one value, and its fields next to it, as the hosted product returns them. */
function bothForms(row: WorkspaceRow) {
  const workspace = serializeWorkspace(row);
  return { ...workspace, workspace };
}

/** Returns the profile (JSON) with the given fields. Empty ones are removed. */
function changedProfile(profile: string, input: WorkspaceProfile): string {
  const merged: Record<string, unknown> = JSON.parse(profile);
  for (const field of ['about', 'profilePicture', 'contactEmail', 'website', 'socialAccounts'] as const) {
    if (input[field] !== undefined) merged[field] = input[field];
    // Also the empty list.
    if (String(merged[field] ?? '') === '') delete merged[field];
  }
  return JSON.stringify(merged);
}
