// Members of a workspace and their roles. There is an owner at all times; who is put out leaves no token behind.
import * as v from 'valibot';
import { limits } from '../../../protocol/limits.ts';
import { cutPage, decodeCursor, isText } from '../../api/cursor.ts';
import { ApiError } from '../../api/errors.ts';
import { schemas } from '../../api/schemas.ts';
import { reading, writing } from '../../operations/operation.ts';
import {
  countOwners,
  deleteMember,
  insertMember,
  listMembers,
  type MemberRow,
  memberOfEmail,
  updateMember,
} from '../../storage/admin/workspaces.ts';
import { deleteToken, tokensOfMember } from '../../storage/auth/tokens.ts';
import type { Tx } from '../../storage/database.ts';
import { redactResponses } from '../../storage/idempotency.ts';
import { createId } from '../../storage/ids.ts';
import { existingMember } from '../find.ts';
import { assertRank } from '../ranks.ts';
import { admin } from '../schemas.ts';
import { toMember } from '../serializers.ts';

const displayName = admin.name;

export const members = [
  reading({
    id: 'listWorkspaceMembers',
    method: 'GET',
    path: '/workspace-members',
    summary: 'Lists the members of the workspace, who came first before the others.',
    auth: 'workspace',
    permission: 'members.read',
    errors: ['InvalidQuery'],
    status: 200,
    query: v.object(schemas.sizedPage),
    response: v.object({ members: v.array(admin.member), meta: schemas.meta }),
    async run({ tx, caller, query: { nextToken, pageSize = limits.pageSize } }) {
      const after = decodeCursor('members', nextToken, isText);
      const found = await listMembers(tx, caller.workspaceId, after, pageSize + 1);
      const { rows, meta } = cutPage('members', found, pageSize, (row) => row.id);
      return { body: { members: rows.map(toMember), meta } };
    },
  }),

  reading({
    id: 'getWorkspaceMember',
    method: 'GET',
    path: '/workspace-members/me',
    summary: 'Gives the member behind the token.',
    auth: 'workspace',
    permission: 'members.read',
    errors: ['ResourceNotFound'],
    status: 200,
    response: admin.member,
    run: async ({ tx, caller }) => ({ body: { ...toMember(await existingMember(tx, caller, 'me')) } }),
  }),

  writing({
    id: 'createWorkspaceMember',
    method: 'POST',
    path: '/workspace-members',
    summary: 'Takes somebody in, with a role not above the caller’s. They get in with a token made for them.',
    auth: 'workspace',
    permission: 'members.write',
    errors: ['AlreadyExists'],
    status: 200,
    body: v.object({
      email: admin.email,
      role: admin.role,
      displayName: v.exactOptional(displayName),
    }),
    response: admin.member,
    async run({ tx, caller, body: { email, role, displayName = null }, services }) {
      assertRank(caller.kind, role);
      await assertFree(tx, caller.workspaceId, email);
      const createdAt = services.now();
      const id = createId('member', createdAt);
      const row: MemberRow = { id, workspaceId: caller.workspaceId, email, displayName, role, createdAt };
      await insertMember(tx, row);
      return { body: { ...toMember(row) }, resource: id };
    },
  }),

  writing({
    id: 'updateWorkspaceMember',
    method: 'PUT',
    path: '/workspace-members/{id}',
    summary: 'Changes the role, the e-mail address or the name of a member not above the caller.',
    auth: 'workspace',
    permission: 'members.write',
    errors: ['ResourceNotFound', 'AlreadyExists', 'ReferenceConstraint'],
    status: 200,
    body: v.object({
      role: v.exactOptional(admin.role),
      email: v.exactOptional(admin.email),
      displayName: v.exactOptional(v.nullable(displayName)),
    }),
    response: admin.member,
    async run({ tx, caller, params, body }) {
      const member = await existingMember(tx, caller, params.id);
      const changed = { ...member, ...body };
      assertRank(caller.kind, member.role);
      assertRank(caller.kind, changed.role);
      if (changed.role !== 'owner') await assertNotLast(tx, member);
      if (changed.email !== member.email) await assertFree(tx, caller.workspaceId, changed.email);
      await updateMember(tx, changed);
      return { body: { ...toMember(changed) } };
    },
  }),

  writing({
    id: 'deleteWorkspaceMember',
    method: 'DELETE',
    path: '/workspace-members/{id}',
    summary: 'Puts a member out who is not above the caller; their tokens end with it.',
    auth: 'workspace',
    permission: 'members.write',
    errors: ['ResourceNotFound', 'ReferenceConstraint'],
    status: 200,
    response: schemas.nothing,
    async run({ tx, caller, params }) {
      const member = await existingMember(tx, caller, params.id);
      assertRank(caller.kind, member.role);
      await assertNotLast(tx, member);
      for (const id of await tokensOfMember(tx, member.id)) {
        await deleteToken(tx, id);
        await redactResponses(tx, id);
      }
      await deleteMember(tx, member.id);
      await redactResponses(tx, member.id);
      return { body: {} };
    },
  }),
];

async function assertFree(tx: Tx, workspaceId: string, email: string): Promise<void> {
  if (await memberOfEmail(tx, workspaceId, email)) {
    throw new ApiError('AlreadyExists', 'A member with this e-mail address is there already.');
  }
}

/** Throws when the workspace would be without an owner. */
async function assertNotLast(tx: Tx, { role, workspaceId }: MemberRow): Promise<void> {
  if (role === 'owner' && (await countOwners(tx, workspaceId)) < 2) {
    throw new ApiError('ReferenceConstraint', 'This is the last owner; make somebody else one first.');
  }
}
