// Operations of a bot on the widget of the visitor's page.
import { typingTimeoutMs, widget } from '../../../protocol/operations/runtime/widget.ts';
import { ApiError } from '../../api/errors.ts';
import { validateWidgetConfiguration } from '../../bots/index.ts';
import type { Transcript } from '../../chat/index.ts';
import type { ConversationRow } from '../../storage/chat/conversations.ts';
import type { WriteTx } from '../../storage/database.ts';
import { createId, publicId } from '../../storage/ids.ts';
import { ownBot, ownConversation } from './find.ts';
import { handle, type RuntimeServices } from './services.ts';

export const widgetHandlers = [
  handle(widget.setTyping, async ({ tx, caller, params, input: { typing }, services: { presence } }) => {
    const conversation = await ownConversation(tx, caller, params.id);
    const { userId } = await ownBot(tx, caller);
    presence.setTyping(participantRef(conversation, userId), typing, typingTimeoutMs, true);
    return { body: {} };
  }),

  handle(widget.setVisibility, async ({ tx, caller, params, input: { visibility }, services }) => {
    const conversation = await ownConversation(tx, caller, params.id);
    const data = { conversationId: publicId(conversation), visibility };
    return sendSignal(tx, services, conversation, { type: 'webchat_visibility', data });
  }),

  handle(widget.configureWebchat, async ({ tx, caller, params, input, services }) => {
    const conversation = await ownConversation(tx, caller, params.id);
    const data = { conversationId: publicId(conversation), config: readConfiguration(input.configuration) };
    return sendSignal(tx, services, conversation, { type: 'webchat_config', data });
  }),
];

/** Returns the ids that identify the bot in the conversation for typing signals. */
export const participantRef = (conversation: ConversationRow, userId: string) => ({
  conversation: { id: conversation.id, publicId: publicId(conversation) },
  user: { id: userId, publicId: userId },
});

/** Sends a signal to the widget. Its origin is random: retries are detected earlier, by their Idempotency-Key. */
export async function sendSignal(
  tx: WriteTx,
  { transcript }: Pick<RuntimeServices, 'transcript'>,
  conversation: ConversationRow,
  signal: Parameters<Transcript['sendWidgetSignal']>[3],
) {
  await transcript.sendWidgetSignal(tx, conversation, `runtime:${createId('evt')}`, signal);
  return { body: {} };
}

/** Validates a widget configuration. Throws InvalidPayload that names the wrong field. */
export function readConfiguration(input: unknown) {
  try {
    return validateWidgetConfiguration(input);
  } catch (error) {
    if (error instanceof TypeError) throw new ApiError('InvalidPayload', error.message);
    throw error;
  }
}
