// Requests of visitors for another answerer: ask for a person, return to the bot, end the conversation.
import { cancelHandoff, closeConversation, requestHandoff } from '../../client/operations/chat.ts';
import type { SessionContext } from '../chat/session/context.ts';
import type { RefusedRequest } from '../chat/store/state.ts';
import { readHandling } from './read-handling.ts';
import { strings } from './strings.ts';

/** `cancel`: back to the bot, while nobody has answered. */
export type HandlingRequest = 'request' | 'cancel' | 'close';

interface RequestOptions extends RefusedRequest {
  leavesMessage?: true;
}

/**
 * Sends a request about who answers. What follows from it arrives as a signal. A failure is announced and reported to the
 * page. Never rejects.
 * @param reason of a request: what the visitor wants, for the team
 * @param messageId of a request: the message of the bot whose button was pressed
 * @param leavesMessage of a request: the conversation waits outside of the opening hours, too
 * @returns whether the server has accepted it
 */
export async function sendHandlingRequest(
  context: SessionContext,
  request: HandlingRequest,
  { reason, messageId, leavesMessage }: RequestOptions = {},
): Promise<boolean> {
  const { store, getSignal, getConversationId, report, announce } = context;
  const client = context.client.with({ requestHandoff, cancelHandoff, closeConversation });
  try {
    const id = await getConversationId();
    const options = { signal: getSignal() };
    if (request === 'cancel') await client.cancelHandoff({ id }, options);
    else if (request === 'close') await client.closeConversation({ id }, options);
    else {
      const refused = { ...(reason && { reason }), ...(messageId && { messageId }) };
      const input = { id, ...refused, ...(leavesMessage && { leavesMessage }) };
      const { accepted, handling } = await client.requestHandoff(input, options);
      // Outside of the opening hours nothing has changed, and no signal follows: the bar says when somebody is back.
      const current = store.state.handling;
      const received = accepted ? undefined : readHandling(handling);
      if (received) store.setHandling({ ...received, canRequest: current?.canRequest === true, refused });
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
