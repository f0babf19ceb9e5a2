// Operations on the visitor's feedback on a bot's message. Every participant can set it; the latest value replaces the
// previous one.
import type { Feedback } from '../../../protocol/message.ts';
import { feedback } from '../../../protocol/operations/chat/messages.ts';
import type { Output } from '../../../protocol/operations/operation.ts';
import { ApiError } from '../../api/errors.ts';
import type { CallOf, Outcome } from '../../api/handler.ts';
import { serializeMessage } from '../../api/serializers.ts';
import { publicId } from '../../storage/ids.ts';
import { existingMessage, held, participating, quotaSubjectsOf } from './access.ts';
import { type ChatServices, handle } from './services.ts';

export const feedbackHandlers = [
  handle(feedback.setFeedback, (call) => {
    const { value, comment } = call.input;
    return store(call, comment ? { value, comment } : { value });
  }),

  handle(feedback.deleteFeedback, (call) => store(call, undefined)),
];

async function store(
  {
    tx,
    caller,
    quota,
    headers,
    params: { id },
    services: { transcript, localeOf },
  }: Pick<
    CallOf<typeof feedback.deleteFeedback, ChatServices>,
    'tx' | 'caller' | 'quota' | 'headers' | 'params' | 'services'
  >,
  value: Feedback | undefined,
): Promise<Outcome<Output<typeof feedback.setFeedback>>> {
  const { conversationId } = await existingMessage(tx, id);
  const conversation = await held(tx, () => participating(tx, conversationId, caller));
  const message = await existingMessage(tx, id);
  if (message.isBot !== 1) {
    throw new ApiError('Forbidden', 'Only messages of the bot can have feedback.');
  }
  const text = JSON.stringify(value);
  // Unchanged feedback is not stored again, and removed feedback only frees storage: neither uses quota.
  if (value && text !== message.feedback) {
    await quota.send(tx, 'feedback', quotaSubjectsOf(caller, conversation), Buffer.byteLength(text));
  }
  const row = await transcript.setFeedback(tx, conversation, message, caller.user, value, localeOf(headers));
  return { body: { message: serializeMessage(row, publicId(conversation)) } };
}
