// Operations that change who answers a conversation.
import { actions } from '../../../protocol/operations/inbox/conversations.ts';
import { isPermitted } from '../../../protocol/permissions.ts';
import type { Principal } from '../../api/caller.ts';
import { ApiError } from '../../api/errors.ts';
import { personOfMember } from '../../chat/index.ts';
import { findMember } from '../../storage/admin/workspaces.ts';
import type { Tx } from '../../storage/database.ts';
import { touchHandling } from '../../storage/inbox/handlings.ts';
import { indexWords, setInboxTags } from '../../storage/inbox/search-index.ts';
import { findTeam } from '../../storage/inbox/teams.ts';
import {
  answererOf,
  assertMayAssign,
  assertMayTake,
  existingRecord,
  heldConversation,
  rowOf,
} from './access.ts';
import { handle } from './services.ts';

export const actionHandlers = [
  handle(actions.takeConversation, async ({ tx, caller, params: { id }, input, services }) => {
    const conversation = await heldConversation(tx, caller, id);
    await assertMayTake(tx, caller, id);
    const by = await answererOf(tx, caller);
    await services.transcript.handlings.take(tx, conversation, by, input.revision);
    return { body: await rowOf(tx, caller, id), about: conversation.id };
  }),

  handle(actions.assignConversation, async ({ tx, caller, params: { id }, input, services }) => {
    const conversation = await heldConversation(tx, caller, id);
    await existingRecord(tx, caller, id);
    await assertMayAssign(tx, caller, id, input.revision);
    if (input.teamId !== undefined) {
      const team = await findTeam(tx, caller.workspaceId, input.teamId);
      if (!team) throw new ApiError('ResourceNotFound', 'The team does not exist.');
      await services.transcript.handlings.assignTeam(tx, conversation, team.id, input.revision);
      return { body: await rowOf(tx, caller, id), about: conversation.id };
    }
    const member = await findMember(tx, caller.workspaceId, input.memberId ?? '');
    if (!member) throw new ApiError('ResourceNotFound', 'The member does not exist.');
    if (!isPermitted(member.role, 'inbox.write'))
      throw new ApiError('ReferenceConstraint', 'The role of the member does not allow to answer visitors.');
    const to = { memberId: member.id, person: personOfMember(member) };
    await services.transcript.handlings.assign(tx, conversation, to, input.revision);
    return { body: await rowOf(tx, caller, id), about: conversation.id };
  }),

  handle(actions.releaseConversation, async ({ tx, caller, params: { id }, input, services }) => {
    const conversation = await heldConversation(tx, caller, id);
    await existingRecord(tx, caller, id);
    await assertMayAssign(tx, caller, id, input.revision);
    await services.transcript.handlings.release(tx, conversation, 'person', input.revision);
    return { body: await rowOf(tx, caller, id), about: conversation.id };
  }),

  handle(actions.closeInboxConversation, async ({ tx, caller, params: { id }, input, services }) => {
    const conversation = await heldConversation(tx, caller, id);
    await existingRecord(tx, caller, id);
    await services.transcript.handlings.close(tx, conversation, 'person', {
      revision: input.revision,
      ...(await callerIn(tx, caller)),
    });
    return { body: await rowOf(tx, caller, id), about: conversation.id };
  }),

  handle(actions.reopenConversation, async ({ tx, caller, params: { id }, input, services }) => {
    const conversation = await heldConversation(tx, caller, id);
    const { state, revision } = await existingRecord(tx, caller, id);
    if (state === 'bot' || state === 'snoozed')
      throw new ApiError('StaleRevision', 'The conversation is not closed.', { state, revision });
    const by = await answererOf(tx, caller);
    await services.transcript.handlings.take(tx, conversation, by, input.revision);
    return { body: await rowOf(tx, caller, id), about: conversation.id };
  }),

  handle(actions.snoozeConversation, async ({ tx, caller, params: { id }, input, services }) => {
    const conversation = await heldConversation(tx, caller, id);
    await existingRecord(tx, caller, id);
    const until = input.until === undefined ? null : Date.parse(input.until);
    await services.transcript.handlings.snooze(tx, conversation, until, input.revision);
    return { body: await rowOf(tx, caller, id), about: conversation.id };
  }),

  handle(actions.unsnoozeConversation, async ({ tx, caller, params: { id }, services }) => {
    const conversation = await heldConversation(tx, caller, id);
    const { state, revision } = await existingRecord(tx, caller, id);
    if (state !== 'snoozed')
      throw new ApiError('StaleRevision', 'The conversation is not snoozed.', { state, revision });
    await services.transcript.handlings.endSnooze(tx, conversation, { memberId: caller.memberId });
    return { body: await rowOf(tx, caller, id), about: conversation.id };
  }),

  handle(actions.returnConversation, async ({ tx, caller, params: { id }, input, services }) => {
    const conversation = await heldConversation(tx, caller, id);
    await existingRecord(tx, caller, id);
    await assertMayAssign(tx, caller, id, input.revision);
    await services.transcript.handlings.returnToBot(tx, conversation, 'person', {
      revision: input.revision,
      ...(await callerIn(tx, caller)),
    });
    return { body: await rowOf(tx, caller, id), about: conversation.id };
  }),

  handle(actions.setInboxTags, async ({ tx, caller, params: { id }, input, services }) => {
    const conversation = await heldConversation(tx, caller, id);
    await existingRecord(tx, caller, id);
    await setInboxTags(tx, id, input.tags);
    await indexWords(tx, id);
    await touchHandling(tx, id, services.now());
    tx.afterCommit(() => services.team.publish(caller.workspaceId, { kind: 'row', conversationId: id }));
    return { body: await rowOf(tx, caller, id), about: conversation.id };
  }),
];

/** The member, with the name that visitors see. An operator need not be a member of the workspace. */
async function callerIn(
  tx: Tx,
  { workspaceId, memberId }: Principal,
): Promise<{ name?: string; memberId?: string }> {
  const member = memberId === undefined ? undefined : await findMember(tx, workspaceId, memberId);
  return member ? { name: personOfMember(member).name, memberId: member.id } : {};
}
