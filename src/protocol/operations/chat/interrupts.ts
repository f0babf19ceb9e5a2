// Operations of the Chat API: interrupts.
import * as v from 'valibot';
import { localeHeader } from '../../headers/locale.ts';
import { schemas } from '../../schemas/chat.ts';
import { clientSchemas } from '../../schemas/client.ts';
import { interruptSchemas } from '../../schemas/interrupts.ts';
import { partSchemas } from '../../schemas/parts.ts';
import { mutation, operations } from '../operation.ts';

export const interrupts = operations({
  claimInterrupt: mutation({
    route: 'POST /interrupts/{id}/claim',
    summary:
      'Begins to run a tool of the page that the bot has called (an interrupt with the reason `client_tool`): one page can, and ' +
      'answers with the same `claim`. The same claim again has the same result; another one is a `RelationConflict`. Without an ' +
      'answer within a minute, the outcome is unknown.',
    auth: 'user',
    limitedKeys: true,
    quota: 'messages',
    errors: ['InvalidPayload', 'ResourceNotFound', 'RelationConflict'],
    input: v.object({ claim: clientSchemas.name }),
    output: v.object({ interrupt: partSchemas.interrupt, messageId: schemas.id }),
    examples: [{ id: '<<clientTool>>', claim: 'page-1' }],
  }),

  respondToInterrupt: mutation({
    route: 'POST /interrupts/{id}/response',
    summary:
      'Answers a question of the bot, an interrupt of one of its messages: the visitor to whom it was put can answer once. The ' +
      'same answer again has the same result; another one is a `RelationConflict`, whose `metadata.interrupt` is the interrupt ' +
      'as it was settled. An answer that breaks the form is an `InvalidPayload`: `metadata.issues` has the `property` and the ' +
      '`rule` of each problem. A tool of the page is answered with `{result}`, `{error}` or `{approved: false}`; the first two by ' +
      'the page that has claimed it.',
    auth: 'user',
    limitedKeys: true,
    quota: 'messages',
    errors: ['ResourceNotFound', 'RelationConflict', 'PayloadTooLarge', 'QuotaExceeded'],
    headers: [localeHeader],
    input: interruptSchemas.response,
    output: v.object({ interrupt: partSchemas.interrupt, messageId: schemas.id }),
    examples: [
      { id: '<<interrupt>>', status: 'resolved', payload: { approved: true, comment: 'It was late.' } },
      { id: '<<otherInterrupt>>', status: 'cancelled' },
    ],
  }),
});
