// Operations on the visitor's opinion of a bot's message. Everybody who takes part may say it; the last word counts.
import * as v from 'valibot';
import type { Feedback } from '../../../protocol/message.ts';
import { ApiError } from '../../api/errors.ts';
import { schemas } from '../../api/schemas.ts';
import { toMessage } from '../../api/serializers.ts';
import { type Call, type Outcome, writing } from '../../operations/operation.ts';
import { publicId } from '../../storage/ids.ts';
import { existingMessage, participating, sendersOf } from './access.ts';

const common = {
  path: '/messages/{id}/feedback',
  auth: 'user',
  errors: ['Forbidden', 'ResourceNotFound'],
  status: 200,
  response: v.object({ message: schemas.message }),
} as const;

export const feedback = [
  writing({
    ...common,
    id: 'setFeedback',
    method: 'PUT',
    summary: 'Says what the visitor thinks of a message of the bot, in place of what was said before.',
    quota: 'messages',
    errors: [...common.errors, 'QuotaExceeded'],
    body: schemas.feedback,
    run: (call) => {
      const { value, comment } = call.body;
      return store(call, comment ? { value, comment } : { value });
    },
  }),

  writing({
    ...common,
    id: 'deleteFeedback',
    method: 'DELETE',
    summary: 'Takes the opinion back; also when there is none.',
    errors: [...common.errors],
    run: (call) => store(call, undefined),
  }),
];

async function store(
  { tx, caller, quota, params: { id = '' }, services: { transcript } }: Call,
  value: Feedback | undefined,
): Promise<Outcome> {
  const message = await existingMessage(tx, id);
  const conversation = await participating(tx, message.conversationId, caller);
  if (message.isBot !== 1) {
    throw new ApiError('Forbidden', 'Only a message of the bot can be given feedback.');
  }
  const text = JSON.stringify(value);
  // What is stored already changes nothing; what is taken back only gives room.
  if (value && text !== message.feedback) {
    await quota.send(tx, 'feedback', sendersOf(caller, conversation), Buffer.byteLength(text));
  }
  const row = await transcript.setFeedback(tx, conversation, message, caller.user, value);
  return { body: { message: toMessage(row, publicId(conversation)) } };
}
