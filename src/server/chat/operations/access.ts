// Permission checks of the Chat API: each finds a resource and throws when it does not exist or the caller lacks access.
import type { Caller } from '../../api/caller.ts';
import { ApiError } from '../../api/errors.ts';
import { assertConversation } from '../../auth/user-keys.ts';
import { type ConversationRow, findConversation } from '../../storage/chat/conversations.ts';
import { findMessage, type MessageRow } from '../../storage/chat/messages.ts';
import { isParticipant } from '../../storage/chat/participants.ts';
import { findUser, type UserRow } from '../../storage/chat/users.ts';
import type { Tx, WriteTx } from '../../storage/database.ts';

/** Returns a conversation of the bot. Throws ResourceNotFound. */
export async function existing(tx: Tx, botId: string, id: string): Promise<ConversationRow> {
  const conversation = await findConversation(tx, botId, id);
  if (!conversation) throw new ApiError('ResourceNotFound', 'The conversation does not exist.');
  return conversation;
}

/** Returns a conversation that the caller owns. Throws ResourceNotFound, or Forbidden when another user owns it. */
export async function owned(tx: Tx, id: string, caller: Caller): Promise<ConversationRow> {
  const conversation = await existing(tx, caller.user.botId, id);
  assertConversation(caller.key, conversation.id);
  if (conversation.ownerId !== caller.user.id) {
    throw new ApiError('Forbidden', 'Only the owner of the conversation can do this.');
  }
  return conversation;
}

/**
 * Returns a conversation that the caller participates in. Throws the same Forbidden for an unknown conversation as for
 * one of another user, so that the response does not reveal which ids exist.
 */
export async function joined(tx: Tx, id: string, caller: Caller): Promise<ConversationRow> {
  const conversation = await findConversation(tx, caller.user.botId, id);
  if (!conversation || !(await isParticipant(tx, conversation.id, caller.user.id))) {
    throw new ApiError('Forbidden', 'You are not a participant of this conversation.');
  }
  assertConversation(caller.key, conversation.id);
  return conversation;
}

/** Returns a conversation that the caller participates in. Throws ResourceNotFound if it does not exist, otherwise Forbidden. */
export async function participating(tx: Tx, id: string, caller: Caller): Promise<ConversationRow> {
  await existing(tx, caller.user.botId, id);
  return joined(tx, id, caller);
}

/**
 * Returns the conversation that `find` finds, and holds its lock. It is found again under the lock, because it, or the
 * access to it, may have changed before.
 */
export async function held(tx: WriteTx, find: () => Promise<ConversationRow>): Promise<ConversationRow> {
  const { id } = await find();
  await tx.lock(`conversation:${id}`);
  return find();
}

/** Returns the user, conversation and bot whose quotas count what the caller sends to a conversation. */
export function quotaSubjectsOf({ user }: Caller, conversation: ConversationRow) {
  return { userId: user.id, conversationId: conversation.id, botId: conversation.botId };
}

/** Returns a user of the bot. Throws ResourceNotFound. */
export async function existingUser(tx: Tx, botId: string, id: string): Promise<UserRow> {
  const user = await findUser(tx, botId, id);
  if (!user) throw new ApiError('ResourceNotFound', 'The user does not exist.');
  return user;
}

/** Returns a user of the bot, and holds the user's lock. Throws ResourceNotFound. */
export async function heldUser(tx: WriteTx, botId: string, id: string): Promise<UserRow> {
  const user = await existingUser(tx, botId, id);
  await tx.lock(`owner:${user.id}`);
  return existingUser(tx, botId, id);
}

/** Returns a message. Throws ResourceNotFound. */
export async function existingMessage(tx: Tx, id: string): Promise<MessageRow> {
  const message = await findMessage(tx, id);
  if (!message) throw new ApiError('ResourceNotFound', 'The message does not exist.');
  return message;
}

/**
 * Returns a message of the caller in this conversation, whose lock is held, that another one may supersede. Throws
 * ResourceNotFound if there is none, Forbidden for one of another user, and RelationConflict if one has done so.
 */
export async function replaceable(
  tx: Tx,
  conversation: ConversationRow,
  caller: Caller,
  id: string,
): Promise<MessageRow> {
  const message = await existingMessage(tx, id);
  if (message.conversationId !== conversation.id) {
    throw new ApiError('ResourceNotFound', 'The message does not exist.');
  }
  if (message.userId !== caller.user.id) {
    throw new ApiError('Forbidden', 'Only the author can supersede a message.');
  }
  if (message.supersededBy !== null) {
    throw new ApiError('RelationConflict', 'Another message has superseded this one.', {
      supersededBy: message.supersededBy,
    });
  }
  return message;
}
