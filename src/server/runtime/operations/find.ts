// Finds resources of the calling bot. Throws the same 404 for a resource of another bot as for one that does not exist.
import { ApiError } from '../../api/errors.ts';
import type { BotPrincipal } from '../../auth/principal.ts';
import { type BotRow, botById } from '../../storage/bots/bots.ts';
import { type ConversationRow, conversationById } from '../../storage/chat/conversations.ts';
import { findMessage, type MessageRow } from '../../storage/chat/messages.ts';
import type { Tx } from '../../storage/database.ts';

/** Returns the bot that the caller acts for. */
export async function ownBot(tx: Tx, { botId }: BotPrincipal): Promise<BotRow> {
  const bot = await botById(tx, botId);
  if (!bot) throw new ApiError('ResourceNotFound', 'The bot does not exist.');
  return bot;
}

export async function ownConversation(tx: Tx, { botId }: BotPrincipal, id = ''): Promise<ConversationRow> {
  const conversation = await conversationById(tx, id);
  if (conversation?.botId !== botId) {
    throw new ApiError('ResourceNotFound', 'The conversation does not exist.');
  }
  return conversation;
}

/** Returns a message of one of the bot's conversations, and the conversation. */
export async function ownMessage(
  tx: Tx,
  { botId }: BotPrincipal,
  id = '',
): Promise<{ message: MessageRow; conversation: ConversationRow }> {
  const message = await findMessage(tx, id);
  const conversation = message && (await conversationById(tx, message.conversationId));
  if (!message || conversation?.botId !== botId) {
    throw new ApiError('ResourceNotFound', 'The message does not exist.');
  }
  return { message, conversation };
}
