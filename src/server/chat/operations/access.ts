// Who may do what: the questions that operations ask before they act, each with its refusal. It changes nothing.

import { ApiError } from '../../api/errors.ts';
import type { Caller } from '../../auth/caller.ts';
import { type ConversationRow, findConversation } from '../../storage/chat/conversations.ts';
import { findMessage, type MessageRow } from '../../storage/chat/messages.ts';
import { isParticipant } from '../../storage/chat/participants.ts';
import { findUser, type UserRow } from '../../storage/chat/users.ts';
import type { Tx } from '../../storage/database.ts';

/** A conversation of the bot that exists, or 404. */
export async function existing(tx: Tx, botId: string, id: string): Promise<ConversationRow> {
  const conversation = await findConversation(tx, botId, id);
  if (!conversation) throw new ApiError('ResourceNotFound', 'The conversation does not exist.');
  return conversation;
}

/** A conversation of which the caller is the owner: 404 when it does not exist, 403 when it is another's. */
export async function owned(tx: Tx, id: string, caller: Caller): Promise<ConversationRow> {
  const conversation = await existing(tx, caller.user.botId, id);
  if (conversation.ownerId !== caller.user.id) {
    throw new ApiError('Forbidden', 'Only the owner of the conversation may do this.');
  }
  return conversation;
}

/**
 * A conversation that the caller takes part in. One that does not exist is refused with the same 403 as another
 * user's, so that the answer does not tell which ids exist.
 */
export async function joined(tx: Tx, id: string, caller: Caller): Promise<ConversationRow> {
  const conversation = await findConversation(tx, caller.user.botId, id);
  if (!conversation || !(await isParticipant(tx, conversation.id, caller.user.id))) {
    throw new ApiError('Forbidden', 'You are not a participant of this conversation.');
  }
  return conversation;
}

/** A conversation that exists (404) and that the caller takes part in (403). */
export async function participating(tx: Tx, id: string, caller: Caller): Promise<ConversationRow> {
  await existing(tx, caller.user.botId, id);
  return joined(tx, id, caller);
}

/** Whose quotas count what the caller sends into a conversation. */
export function sendersOf({ user }: Caller, conversation: ConversationRow) {
  return { userId: user.id, conversationId: conversation.id, botId: conversation.botId };
}

/** A user of the bot that exists, or 404. */
export async function existingUser(tx: Tx, botId: string, id: string): Promise<UserRow> {
  const user = await findUser(tx, botId, id);
  if (!user) throw new ApiError('ResourceNotFound', 'The user does not exist.');
  return user;
}

/** A message that exists, or 404. */
export async function existingMessage(tx: Tx, id: string): Promise<MessageRow> {
  const message = await findMessage(tx, id);
  if (!message) throw new ApiError('ResourceNotFound', 'The message does not exist.');
  return message;
}
