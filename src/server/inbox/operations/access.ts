// Finds the conversations, visitors and members of a request. A conversation of another workspace causes the same 404
// as a missing one.
import { createHash } from 'node:crypto';
import type { InboxRow } from '../../../protocol/inbox.ts';
import { isPermitted } from '../../../protocol/permissions.ts';
import type { Principal } from '../../api/caller.ts';
import { ApiError } from '../../api/errors.ts';
import { viewerOf } from '../../auth/principal.ts';
import { type Answerer, personOfMember, stale } from '../../chat/index.ts';
import { findMember } from '../../storage/admin/workspaces.ts';
import { findBot } from '../../storage/bots/bots.ts';
import { type ConversationRow, conversationById } from '../../storage/chat/conversations.ts';
import type { Tx, WriteTx } from '../../storage/database.ts';
import { findUnhandled } from '../../storage/inbox/bot-list.ts';
import { findHandling } from '../../storage/inbox/handlings.ts';
import { findInboxRecord, type InboxRecord } from '../../storage/inbox/lists.ts';
import { hiddenTeams, isVisible, type Viewer } from '../../storage/inbox/visibility.ts';
import { serializeBotRows, serializeRows } from '../serializers.ts';

const missing = () => new ApiError('ResourceNotFound', 'The conversation does not exist.');

/** A short text that is another one when the viewer sees conversations of other teams than before. */
export async function scopeOf(tx: Tx, viewer: Viewer): Promise<string> {
  const hidden = await hiddenTeams(tx, viewer);
  return createHash('sha256').update(hidden.join(' ')).digest('base64url').slice(0, 16);
}

/** A conversation of a bot of the caller's workspace, by server id. */
export async function existingConversation(tx: Tx, caller: Principal, id: string): Promise<ConversationRow> {
  const conversation = await conversationById(tx, id);
  const bot = conversation && (await findBot(tx, caller.workspaceId, conversation.botId));
  if (!conversation || !bot || !(await isVisible(tx, viewerOf(caller), id))) throw missing();
  return conversation;
}

/** Does the same, and holds the lock of the conversation. */
export async function heldConversation(tx: WriteTx, caller: Principal, id: string): Promise<ConversationRow> {
  await tx.lock(`conversation:${id}`);
  return existingConversation(tx, caller, id);
}

/** A conversation that the caller may see, also one that only its bot has answered. */
export async function existingRow(
  tx: Tx,
  caller: Principal,
  id: string,
): Promise<{ row: InboxRow; visitorId: string }> {
  const unhandled = await findUnhandled(tx, caller.workspaceId, id);
  if (unhandled) {
    const [row] = await serializeBotRows(tx, [unhandled]);
    if (row) return { row, visitorId: unhandled.visitorId };
  }
  const { visitorId } = await existingRecord(tx, caller, id);
  return { row: (await rowOf(tx, caller, id)).conversation, visitorId };
}

/** A conversation with a handoff that the caller may see. */
export async function existingRecord(tx: Tx, caller: Principal, id: string): Promise<InboxRecord> {
  const record = await findInboxRecord(tx, caller.workspaceId, id);
  if (!record || !(await isVisible(tx, viewerOf(caller), id))) throw missing();
  return record;
}

/** The row of a conversation, as the response to an action. */
export async function rowOf(tx: Tx, caller: Principal, id: string): Promise<{ conversation: InboxRow }> {
  // Not `existingRecord`: a member who has just given a conversation to another team still sees the result.
  const record = await findInboxRecord(tx, caller.workspaceId, id);
  const [conversation] = record ? await serializeRows(tx, [record]) : [];
  if (!conversation) throw missing();
  return { conversation };
}

/**
 * The member of the token, as visitors see them, and with the name for colleagues. An operator cannot answer visitors of a workspace in which they are
 * not a member.
 */
export async function answererOf(
  tx: Tx,
  { workspaceId, memberId }: Principal,
): Promise<Answerer & { name: string }> {
  const member = memberId === undefined ? undefined : await findMember(tx, workspaceId, memberId);
  if (!member) throw new ApiError('Forbidden', 'Only members of this workspace can answer its visitors.');
  const name = member.displayName || member.email;
  return { memberId: member.id, person: personOfMember(member), name };
}

/** Throws Forbidden if nobody has asked for a person, and the caller may not take conversations from their bot. */
export async function assertMayTake(tx: Tx, { kind }: Principal, id: string): Promise<void> {
  if (isPermitted(kind, 'inbox.takeover')) return;
  if (((await findHandling(tx, id))?.state ?? 'bot') === 'bot')
    throw new ApiError(
      'Forbidden',
      'This needs inbox.takeover, because the bot answers and nobody has asked for a person.',
    );
}

/**
 * Throws Forbidden if another person answers the conversation and the caller may not assign conversations of others; or
 * StaleRevision if it has changed since the caller read it, because then they had it perhaps.
 */
export async function assertMayAssign(
  tx: Tx,
  { kind, memberId }: Principal,
  id: string,
  revision: number | undefined,
): Promise<void> {
  const handling = await findHandling(tx, id);
  if (!handling || handling.personId === null || isPermitted(kind, 'inbox.assign')) return;
  if (memberId !== undefined && handling.assigneeId === memberId) return;
  if (revision !== undefined && revision !== handling.revision) throw stale(handling);
  throw new ApiError('Forbidden', 'This needs inbox.assign, because another person answers.');
}
