// Operations of the Chat API: feedback.
import * as v from 'valibot';
import { localeHeader } from '../../headers/locale.ts';
import { schemas } from '../../schemas/chat.ts';
import { mutation, operations } from '../operation.ts';

const response = v.object({ message: schemas.message });

export const feedback = operations({
  setFeedback: mutation({
    route: 'PUT /messages/{id}/feedback',
    summary: 'Sets the caller’s feedback on a message of the bot. It replaces the previous feedback.',
    auth: 'user',
    limitedKeys: true,
    quota: 'messages',
    errors: ['Forbidden', 'ResourceNotFound', 'QuotaExceeded'],
    headers: [localeHeader],
    input: schemas.feedback,
    output: response,
    sample: { id: '<<botMessage>>', value: 'negative', comment: 'The link does not open.' },
    examples: [{ id: '<<botMessage>>', value: 'negative', comment: 'No' }],
  }),

  deleteFeedback: mutation({
    route: 'DELETE /messages/{id}/feedback',
    summary: 'Deletes the caller’s feedback. Succeeds also if there is none.',
    auth: 'user',
    limitedKeys: true,
    errors: ['Forbidden', 'ResourceNotFound'],
    headers: [localeHeader],
    output: response,
    examples: [{ id: '<<botMessage>>' }],
  }),
});
