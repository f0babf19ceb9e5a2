// Admin operations on the members of a workspace and their roles. A workspace always has an owner, and removing a member
// deletes the member's tokens.
import { randomUUID } from 'node:crypto';
import { limits } from '../../../protocol/limits.ts';
import { members } from '../../../protocol/operations/admin/workspaces.ts';
import {
  isPermitted,
  type Permission,
  type PrincipalKind,
  type Role,
  roles,
} from '../../../protocol/permissions.ts';
import type { Principal } from '../../api/caller.ts';
import { ApiError } from '../../api/errors.ts';
import { cutPage, decodeCursor, isText } from '../../api/pages.ts';
import { serializeMember, timestamp } from '../../api/serializers.ts';
import { assertEmailUnused } from '../../auth/email-addresses.ts';
import { issueLink } from '../../auth/tokens.ts';
import { deleteSignInOfMember } from '../../storage/admin/sign-in.ts';
import { deleteToken, tokensOfMember } from '../../storage/admin/tokens.ts';
import {
  countOwners,
  deleteMember,
  findWorkspace,
  insertMember,
  listMembers,
  lockMember,
  type MemberRow,
  updateMember,
} from '../../storage/admin/workspaces.ts';
import { conversationById } from '../../storage/chat/conversations.ts';
import type { Tx, WriteTx } from '../../storage/database.ts';
import { redactResponsesOf } from '../../storage/idempotency.ts';
import { createId } from '../../storage/ids.ts';
import { deleteAnswersOfMember } from '../../storage/inbox/canned-answers.ts';
import { conversationsOfMember, openStates } from '../../storage/inbox/handlings.ts';
import { deleteInboxMembers } from '../../storage/inbox/members.ts';
import { existingMember } from '../find.ts';
import { type AdminServices, handle } from './services.ts';

export const memberHandlers = [
  handle(
    members.listWorkspaceMembers,
    async ({ tx, caller, input: { nextToken, pageSize = limits.pageSize, search } }) => {
      const after = decodeCursor('members', nextToken, isText);
      const found = await listMembers(tx, caller.workspaceId, after, pageSize + 1, { search });
      const { rows, meta } = cutPage('members', found, pageSize, (row) => row.id);
      return { body: { members: rows.map(serializeMember), meta } };
    },
  ),

  handle(members.getWorkspaceMember, async ({ tx, caller }) => ({
    body: { ...serializeMember(await existingMember(tx, caller, 'me')) },
  })),

  handle(
    members.createWorkspaceMember,
    async ({ tx, caller, input: { email, role, displayName = null }, services }) => {
      assertRank(caller.kind, role);
      await assertEmailUnused(tx, caller.workspaceId, email);
      const createdAt = services.now();
      const id = createId('member', createdAt);
      const row: MemberRow = {
        ...{ id, workspaceId: caller.workspaceId, email, displayName, role, createdAt },
        profilePicture: null,
      };
      await insertMember(tx, row);
      services.transcript.handlings.publishMembers(tx, caller.workspaceId);
      return { body: { ...serializeMember(row) }, resource: id };
    },
  ),

  handle(members.updateWorkspaceMember, async ({ tx, caller, params, input, services }) => {
    const member = await existingMember(tx, caller, params.id);
    const changed = { ...member, ...input };
    assertRank(caller.kind, member.role);
    assertRank(caller.kind, changed.role);
    if (changed.role !== 'owner') await assertNotLastOwner(tx, member);
    const isMoved = changed.email !== member.email;
    if (isMoved) await beforeChangeOfAddress(tx, caller, member, changed.email);
    const store = () => updateMember(tx, changed);
    const { handlings } = services.transcript;
    if (isPermitted(changed.role, 'inbox.write')) await handlings.changeMember(tx, member, changed, store);
    else {
      await releaseConversations(tx, member, services);
      await store();
      handlings.publishMembers(tx, caller.workspaceId);
    }
    const { mails } = services;
    const workspace = mails && isMoved && (await findWorkspace(tx, member.workspaceId));
    if (workspace) {
      const content = { to: member.email, workspaceName: workspace.name, id: randomUUID() };
      tx.afterCommit(() => mails.notifyChange(content));
    }
    return { body: { ...serializeMember(changed) } };
  }),

  handle(members.deleteWorkspaceMember, async ({ tx, caller, params, services }) => {
    const member = await existingMember(tx, caller, params.id);
    assertRank(caller.kind, member.role);
    await assertNotLastOwner(tx, member);
    await releaseConversations(tx, member, services);
    const tokens = await tokensOfMember(tx, member.id);
    for (const id of tokens) await deleteToken(tx, id);
    await deleteSignInOfMember(tx, member.id);
    const answers = await deleteAnswersOfMember(tx, member.workspaceId, member.id);
    await deleteInboxMembers(tx, [member.id]);
    await deleteMember(tx, member.id);
    services.transcript.handlings.publishMembers(tx, caller.workspaceId);
    await redactResponsesOf(tx, [...tokens, ...answers, member.id]);
    return { body: {} };
  }),

  handle(members.createMemberLink, async ({ tx, caller, params, input, services, address }) => {
    const { purpose, delivery = 'return' } = input;
    const member = await existingMember(tx, caller, params.id);
    assertRank(caller.kind, member.role);
    const now = services.now();
    if (delivery === 'return') {
      // With the link one can sign in as the member, as with a token.
      assertPermitted(caller, 'tokens.write');
      const { url, expiresAt, id } = await issueLink(tx, member, { purpose, address: address(), now });
      return { body: { expiresAt: timestamp(expiresAt) }, oneTimeFields: { url }, resource: id };
    }
    const { mails } = services;
    const workspace = await findWorkspace(tx, member.workspaceId);
    if (!mails || !workspace) {
      throw new ApiError(
        'Forbidden',
        'This server sends no mail (SMTP_URL). Ask for the link with `return`.',
      );
    }
    const { url, expiresAt, id } = await issueLink(tx, member, { purpose, address: mails.address, now });
    tx.afterCommit(() => mails.send(purpose, { to: member.email, url, workspaceName: workspace.name, id }));
    return { body: { expiresAt: timestamp(expiresAt) } };
  }),
];

/** The conversations of a member who cannot answer any more wait again, at the front. The lock of the workspace is held. */
async function releaseConversations(
  tx: WriteTx,
  { id: memberId, workspaceId }: MemberRow,
  { transcript }: Pick<AdminServices, 'transcript'>,
): Promise<void> {
  const lockAll = async () => {
    const found = await conversationsOfMember(tx, workspaceId, memberId);
    await tx.lock(...found.map((id) => `conversation:${id}` as const));
    return found;
  };
  await lockAll();
  await lockMember(tx, memberId);
  // A message of a visitor, or the routing, may have assigned another one before.
  const ids = await lockAll();
  for (const id of ids) {
    const conversation = await conversationById(tx, id);
    if (!conversation) continue;
    const row = await transcript.handlings.find(tx, conversation);
    // Unless it has ended before the lock was held.
    if (row?.assigneeId === memberId && openStates.includes(row.state))
      await transcript.handlings.release(tx, conversation, 'system');
  }
}

/**
 * Ends what the member signs in with: it belongs to whom the earlier address belongs. The session of a member who changes their own
 * address stays. Throws Forbidden without `tokens.write`, because who has the address can sign in as the member, as with a token;
 * and AlreadyExists.
 */
async function beforeChangeOfAddress(
  tx: WriteTx,
  caller: Principal,
  member: MemberRow,
  email: string,
): Promise<void> {
  assertPermitted(caller, 'tokens.write');
  // A session that is being started is stored before, and ends, or is not started (session/operations/sign-in.ts).
  await tx.lock(`owner:${member.id}`);
  await assertEmailUnused(tx, caller.workspaceId, email);
  const ownSession = caller.memberId === member.id ? caller.session?.id : undefined;
  await deleteSignInOfMember(tx, member.id, ownSession);
}

/** Throws ReferenceConstraint when the member is the only owner of the workspace. */
async function assertNotLastOwner(tx: Tx, { role, workspaceId }: MemberRow): Promise<void> {
  if (role === 'owner' && (await countOwners(tx, workspaceId)) < 2) {
    throw new ApiError('ReferenceConstraint', 'This is the last owner. Make another member an owner first.');
  }
}

/** In ascending order; a caller of another kind ranks below all of them. */
const ranks: readonly PrincipalKind[] = [...roles, 'operator'];

/**
 * Throws Forbidden when the caller ranks below this role. A caller cannot change a member with a higher role, or assign a role
 * above their own.
 */
export function assertRank(caller: PrincipalKind, role: Role): void {
  if (ranks.indexOf(caller) < ranks.indexOf(role)) {
    throw new ApiError(
      'Forbidden',
      `This requires the role ${role} or a higher one; the caller is ${caller}.`,
    );
  }
}

/** Throws Forbidden when the caller lacks a permission that only some inputs of an operation need. */
export function assertPermitted({ kind }: Pick<Principal, 'kind'>, permission: Permission): void {
  if (isPermitted(kind, permission)) return;
  throw new ApiError('Forbidden', `This requires the permission ${permission}, which ${kind} does not have.`);
}
