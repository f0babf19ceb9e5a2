// Operations of the Chat API: feedback.
import * as v from 'valibot';
import { schemas } from '../../schemas/chat.ts';
import { mutation, operations } from '../operation.ts';

const response = v.object({ message: schemas.message });

export const feedback = operations({
  setFeedback: mutation({
    route: 'PUT /messages/{id}/feedback',
    summary: 'Says what the visitor thinks of a message of the bot, in place of what was said before.',
    auth: 'user',
    quota: 'messages',
    errors: ['Forbidden', 'ResourceNotFound', 'QuotaExceeded'],
    input: schemas.feedback,
    output: response,
  }),

  deleteFeedback: mutation({
    route: 'DELETE /messages/{id}/feedback',
    summary: 'Takes the opinion back; also when there is none.',
    auth: 'user',
    errors: ['Forbidden', 'ResourceNotFound'],
    output: response,
  }),
});
