// Begins a conversation of the mock server, with the answers to the form before it.
import { type Call, publicConversation } from './call.ts';
import { checkPreChatForm } from './checks.ts';

/** @param id that the client has chosen */
export function startConversation({ store, bot, user, body, locale }: Call, id: string | undefined) {
  const { name, email: _, ...preChatForm } = checkPreChatForm(body.preChatForm, store.time());
  const conversation = store.createConversation(user.id, id);
  if (name) Object.assign(user, { name });
  const payload = Object.keys(preChatForm).length > 0 ? { preChatForm } : {};
  bot.deliver(conversation, { type: 'conversation_started', payload, userId: user.id, locale });
  return { conversation: publicConversation(conversation) };
}
