// Stores the answers to the form before a conversation: name and address for the visitor, the others with the conversation.
import type { VisitorLocale } from '../../protocol/headers.ts';
import type { PreChatAnswers, PreChatForm } from '../../protocol/visitors.ts';
import type { Call } from '../api/handler.ts';
import { timestamp } from '../api/serializers.ts';
import { setPreChatForm } from '../storage/chat/conversations.ts';
import { type UserRow, updateUser } from '../storage/chat/users.ts';
import { setContact } from '../storage/notifications/contacts.ts';

/**
 * Called in the transaction that has created the conversation, so that the bot has the answers with its first event. The
 * address is stored also by a server without mails: the team reads it. Throws RateLimited and QuotaExceeded.
 */
export async function storePreChatForm(
  { tx, quota, now }: Pick<Call, 'tx' | 'quota'> & { now: number },
  user: Pick<UserRow, 'id' | 'botId'>,
  conversationId: string,
  answers: PreChatAnswers,
  locale: VisitorLocale | undefined,
): Promise<void> {
  const { name, email, consent, ...others } = answers;
  const owner = { userId: user.id, botId: user.botId };
  await quota.send(tx, 'profile', owner, Buffer.byteLength(JSON.stringify(answers)));
  if (name !== undefined) await updateUser(tx, user.id, { name }, now);
  if (email !== undefined) await setContact(tx, { ...owner, email, locale: locale?.chat ?? 'en' }, now);
  const form: PreChatForm = {
    ...others,
    ...(consent === undefined ? {} : { consent: { text: consent, at: timestamp(now) } }),
  };
  if (Object.keys(form).length > 0) await setPreChatForm(tx, conversationId, form);
}
