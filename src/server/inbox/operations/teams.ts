// Operations of members on teams, and on who is assigned conversations.
import { limits } from '../../../protocol/limits.ts';
import { teams } from '../../../protocol/operations/inbox/settings.ts';
import { ApiError } from '../../api/errors.ts';
import { cutPage, decodeCursor, isText } from '../../api/pages.ts';
import { findMember } from '../../storage/admin/workspaces.ts';
import { conversationById } from '../../storage/chat/conversations.ts';
import type { Tx, WriteTx } from '../../storage/database.ts';
import { createId } from '../../storage/ids.ts';
import {
  findInboxMember,
  listInboxMembers,
  setAvailability,
  setCapacity,
} from '../../storage/inbox/members.ts';
import { unansweredOf } from '../../storage/inbox/routing.ts';
import {
  clearDefaultTeam,
  deleteTeam,
  findTeam,
  findTeamByName,
  insertTeam,
  listTeams,
  membersOfTeams,
  openOfTeam,
  setTeamMembers,
  type TeamRow,
  updateTeam,
} from '../../storage/inbox/teams.ts';
import { answeringRoles } from '../routing.ts';
import { serializeInboxMember, serializeTeam } from '../serializers.ts';
import { answererOf } from './access.ts';
import { handle, type InboxServices } from './services.ts';

export const teamHandlers = [
  handle(teams.listTeams, async ({ tx, caller: { workspaceId } }) => {
    const rows = await listTeams(tx, workspaceId);
    const ids = rows.map(({ id }) => id);
    const members = await membersOfTeams(tx, ids);
    return { body: { teams: rows.map((row) => serializeTeam(row, members.get(row.id))) } };
  }),

  handle(teams.createTeam, async ({ tx, caller: { workspaceId }, input, services }) => {
    if ((await listTeams(tx, workspaceId)).length >= limits.inbox.teams)
      throw new ApiError('QuotaExceeded', 'The workspace has too many teams.');
    const { name, mode, capacity = limits.inbox.defaultCapacity, memberIds = [] } = input;
    const row: TeamRow = {
      ...{ id: createId('team', services.now()), workspaceId, name, mode, capacity },
      isRestricted: input.isRestricted ? 1 : 0,
      isDefault: input.isDefault ? 1 : 0,
      createdAt: services.now(),
    };
    await assertFree(tx, row);
    await assertMembers(tx, workspaceId, memberIds);
    if (input.isDefault) await clearDefaultTeam(tx, workspaceId);
    await insertTeam(tx, row);
    await setTeamMembers(tx, row.id, memberIds);
    publishTeams(tx, services, workspaceId);
    return { body: await bodyOf(tx, row), resource: row.id };
  }),

  handle(teams.updateTeam, async ({ tx, caller: { workspaceId }, params: { id }, input, services }) => {
    const { memberIds, isRestricted, isDefault, ...fields } = input;
    const before = await existingTeam(tx, workspaceId, id);
    const row: TeamRow = {
      ...before,
      ...fields,
      ...(isRestricted === undefined ? {} : { isRestricted: isRestricted ? 1 : 0 }),
      ...(isDefault === undefined ? {} : { isDefault: isDefault ? 1 : 0 }),
    };
    await assertFree(tx, row);
    if (isDefault) await clearDefaultTeam(tx, workspaceId);
    await updateTeam(tx, row);
    if (memberIds) {
      await assertMembers(tx, workspaceId, memberIds);
      await setTeamMembers(tx, id, memberIds);
    }
    publishTeams(tx, services, workspaceId);
    tx.afterCommit(() => services.routing.wake(workspaceId));
    return { body: await bodyOf(tx, row) };
  }),

  handle(teams.deleteTeam, async ({ tx, caller: { workspaceId }, params: { id }, services }) => {
    await existingTeam(tx, workspaceId, id);
    const ids = await openOfTeam(tx, id);
    // No conversation is assigned meanwhile.
    await tx.lock(...ids.map((each) => `conversation:${each}` as const), `routing:${workspaceId}`);
    const changed = await deleteTeam(tx, id, ids, services.now());
    publishTeams(tx, services, workspaceId);
    tx.afterCommit(() => {
      for (const conversationId of changed)
        services.team.publish(workspaceId, { kind: 'row', conversationId });
    });
    return { body: {} };
  }),

  handle(
    teams.listInboxMembers,
    async ({ tx, caller: { workspaceId }, input: { nextToken, pageSize = limits.pageSize }, services }) => {
      const after = decodeCursor('inbox members', nextToken, isText);
      const found = await listInboxMembers(tx, workspaceId, answeringRoles, after, pageSize + 1);
      const { rows, meta } = cutPage('inbox members', found, pageSize, ({ memberId }) => memberId);
      return { body: { members: rows.map((row) => serializeInboxMember(row, services.now())), meta } };
    },
  ),

  handle(teams.getAvailability, async ({ tx, caller: { workspaceId, memberId = '' }, services }) => ({
    body: await memberBody(tx, workspaceId, memberId, services),
  })),

  handle(teams.setAvailability, async ({ tx, caller, input: { availability }, services }) => {
    const { memberId } = await answererOf(tx, caller);
    const { workspaceId } = caller;
    const ids = availability === 'away' ? await unansweredOf(tx, workspaceId, memberId) : [];
    await tx.lock(...ids.map((id) => `conversation:${id}` as const));
    await setAvailability(tx, memberId, availability);
    for (const id of await unansweredOf(tx, workspaceId, memberId)) {
      const conversation = ids.includes(id) ? await conversationById(tx, id) : undefined;
      if (conversation) await services.transcript.handlings.release(tx, conversation, 'system');
    }
    publishTeams(tx, services, workspaceId, memberId);
    tx.afterCommit(() => services.routing.wake(workspaceId));
    return { body: await memberBody(tx, workspaceId, memberId, services) };
  }),

  handle(
    teams.setMemberCapacity,
    async ({ tx, caller: { workspaceId }, params: { id }, input, services }) => {
      if (!(await findInboxMember(tx, workspaceId, id)))
        throw new ApiError('ResourceNotFound', 'The member does not exist.');
      await setCapacity(tx, id, input.capacity);
      publishTeams(tx, services, workspaceId);
      tx.afterCommit(() => services.routing.wake(workspaceId));
      return { body: await memberBody(tx, workspaceId, id, services) };
    },
  ),
];

/** Publishes a change of teams to pages that show teams and members. `memberId`: only to those of this member. */
function publishTeams(
  tx: WriteTx,
  { team }: Pick<InboxServices, 'team'>,
  workspaceId: string,
  memberId?: string,
): void {
  const change = { kind: 'settings', changed: 'team', ...(memberId !== undefined && { memberId }) } as const;
  tx.afterCommit(() => team.publish(workspaceId, change));
}

async function existingTeam(tx: Tx, workspaceId: string, id: string): Promise<TeamRow> {
  const row = await findTeam(tx, workspaceId, id);
  if (!row) throw new ApiError('ResourceNotFound', 'The team does not exist.');
  return row;
}

/** Throws AlreadyExists if another team has the name. A bot names teams by their names, too. */
async function assertFree(tx: Tx, { id, workspaceId, name }: TeamRow): Promise<void> {
  const other = await findTeamByName(tx, workspaceId, name);
  if (other && other.id !== id) throw new ApiError('AlreadyExists', 'Another team has this name.');
}

async function assertMembers(tx: WriteTx, workspaceId: string, ids: readonly string[]): Promise<void> {
  for (const id of ids)
    if (!(await findMember(tx, workspaceId, id)))
      throw new ApiError('ReferenceConstraint', 'memberIds: There is no such member in the workspace.');
}

async function bodyOf(tx: Tx, row: TeamRow) {
  return { team: serializeTeam(row, (await membersOfTeams(tx, [row.id])).get(row.id)) };
}

async function memberBody(tx: Tx, workspaceId: string, id: string, { now }: Pick<InboxServices, 'now'>) {
  const row = await findInboxMember(tx, workspaceId, id);
  if (!row) throw new ApiError('ResourceNotFound', 'The member does not exist.');
  return { member: serializeInboxMember(row, now()) };
}
