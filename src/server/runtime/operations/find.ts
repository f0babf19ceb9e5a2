// Finds resources of the calling bot. Throws the same 404 for a resource of another bot as for one that does not exist.
import type { BotPrincipal } from '../../api/caller.ts';
import { ApiError } from '../../api/errors.ts';
import { viewerOf } from '../../auth/principal.ts';
import { type Author, personIn } from '../../chat/index.ts';
import { type BotRow, botById } from '../../storage/bots/bots.ts';
import { type ConversationRow, conversationById } from '../../storage/chat/conversations.ts';
import { findMessage, type MessageRow } from '../../storage/chat/messages.ts';
import { isParticipant } from '../../storage/chat/participants.ts';
import { type UserRow, userById } from '../../storage/chat/users.ts';
import type { Tx, WriteTx } from '../../storage/database.ts';
import { findHandling } from '../../storage/inbox/handlings.ts';
import { isUserVisible, isVisible } from '../../storage/inbox/visibility.ts';

/** Returns the bot that the caller acts for. */
export async function ownBot(tx: Tx, { botId }: BotPrincipal): Promise<BotRow> {
  const bot = await botById(tx, botId);
  if (!bot) throw new ApiError('ResourceNotFound', 'The bot does not exist.');
  return bot;
}

/** Returns a conversation of the bot that the caller may see. */
export async function ownConversation(tx: Tx, caller: BotPrincipal, id = ''): Promise<ConversationRow> {
  const conversation = await visibleConversation(tx, caller, id);
  if (!conversation) {
    throw new ApiError('ResourceNotFound', 'The conversation does not exist.');
  }
  return conversation;
}

/** Returns a conversation of the bot that the caller may see; undefined without one. */
export async function visibleConversation(
  tx: Tx,
  caller: BotPrincipal,
  id: string,
): Promise<ConversationRow | undefined> {
  const conversation = await conversationById(tx, id);
  if (conversation?.botId !== caller.botId) return undefined;
  return (await isVisible(tx, viewerOf(caller), conversation.id)) ? conversation : undefined;
}

/** Returns a user of the bot whom the caller may see; for the id of the bot, as existing bots send it, the bot's own user. */
export async function ownUser(tx: Tx, caller: BotPrincipal, id = ''): Promise<UserRow> {
  const user = await userById(tx, id === caller.botId ? (await ownBot(tx, caller)).userId : id);
  const isSeen = user?.botId === caller.botId && (await isUserVisible(tx, viewerOf(caller), user.id));
  if (!isSeen) throw new ApiError('ResourceNotFound', 'The user does not exist.');
  return user;
}

/** Returns a message of one of the bot's conversations, and the conversation. */
export async function ownMessage(
  tx: Tx,
  caller: BotPrincipal,
  id = '',
): Promise<{ message: MessageRow; conversation: ConversationRow }> {
  const message = await findMessage(tx, id);
  const conversation = message && (await visibleConversation(tx, caller, message.conversationId));
  if (!message || !conversation) {
    throw new ApiError('ResourceNotFound', 'The message does not exist.');
  }
  return { message, conversation };
}

/** Does the same, and holds the lock of the conversation. */
export async function heldMessage(
  tx: WriteTx,
  caller: BotPrincipal,
  id = '',
): Promise<{ message: MessageRow; conversation: ConversationRow }> {
  const { conversation } = await ownMessage(tx, caller, id);
  await tx.lock(`owner:${id}`, `conversation:${conversation.id}`);
  return ownMessage(tx, caller, id);
}

/**
 * Returns the person at another desk who answers the conversation, whose lock is held, as the author of a message. Throws
 * HandledByPerson if a member answers, and InvalidPayload if no person at another desk does.
 */
export async function personOfDesk(tx: Tx, conversation: ConversationRow): Promise<Author> {
  const handling = await findHandling(tx, conversation.id);
  if (handling && handling.assigneeId !== null)
    throw new ApiError('HandledByPerson', 'A member of the workspace answers this conversation.');
  const person = handling && personIn(handling);
  if (!person || handling.personId === null)
    throw new ApiError(
      'InvalidPayload',
      'as: No person at another desk answers the conversation (acceptHandoff).',
    );
  return { id: handling.personId, foreignId: null, isBot: false, person };
}

/**
 * Returns the author of what a bot sends: itself, or the participant in whose name it speaks. In both cases it is a
 * message of the bot, so that it causes no event of a visitor. Throws InvalidPayload for any other user.
 */
export async function authorOf(
  tx: Tx,
  caller: BotPrincipal,
  conversation: ConversationRow,
  userId: string | undefined,
): Promise<Author> {
  const bot = await ownBot(tx, caller);
  if (userId === undefined || userId === bot.id || userId === bot.userId) {
    return { id: bot.userId, foreignId: null, isBot: true };
  }
  const user = await userById(tx, userId);
  if (user?.botId !== bot.id || !(await isParticipant(tx, conversation.id, user.id))) {
    throw new ApiError('InvalidPayload', 'userId: Expected the bot, or a participant of the conversation.');
  }
  return { id: user.id, foreignId: user.foreignId, isBot: true };
}
