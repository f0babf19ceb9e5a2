// What visitors can do about who answers: ask for a person, return to the bot, end the conversation.
import { cancelHandoff, closeConversation, requestHandoff } from '../../client/operations/chat.ts';
import type { SessionContext } from '../chat/session/context.ts';
import { strings } from './strings.ts';

/** `cancel`: back to the bot, while nobody has answered. */
export type HandlingRequest = 'request' | 'cancel' | 'close';

/**
 * Sends a request about who answers. What follows from it arrives as a signal. A failure is announced and reported to the
 * page. Never rejects.
 * @param reason of a request: what the visitor wants, for the team
 * @param messageId of a request: the message of the bot whose button was pressed
 * @returns whether the server has accepted it
 */
export async function sendHandlingRequest(
  context: SessionContext,
  request: HandlingRequest,
  { reason, messageId }: { reason?: string | undefined; messageId?: string | undefined } = {},
): Promise<boolean> {
  const { getSignal, getConversationId, report, announce } = context;
  const client = context.client.with({ requestHandoff, cancelHandoff, closeConversation });
  try {
    const id = await getConversationId();
    const options = { signal: getSignal() };
    if (request === 'cancel') await client.cancelHandoff({ id }, options);
    else if (request === 'close') await client.closeConversation({ id }, options);
    else {
      const input = { id, ...(reason && { reason }), ...(messageId && { messageId }) };
      await client.requestHandoff(input, options);
    }
    return true;
  } catch (error) {
    if (!getSignal().aborted) {
      report(error);
      announce(strings.notPossible);
    }
    return false;
  }
}
