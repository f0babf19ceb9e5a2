// Operations of the Admin API: bot logs.
import * as v from 'valibot';
import { limits } from '../../limits.ts';
import { botLogSchemas } from '../../schemas/admin/bot-logs.ts';
import { maybe } from '../../schemas/base/described.ts';
import { timestamp } from '../../schemas/base/values.ts';
import { schemas } from '../../schemas/chat.ts';
import { mutation, operations, query } from '../operation.ts';

const text = maybe(v.pipe(schemas.id, v.maxLength(limits.adminName)));

export const botLogs = operations({
  listBotLogs: query({
    route: 'GET /bots/{id}/logs',
    summary:
      'Lists the log entries of a bot, newest first: ids, times and kinds of failures, without texts of ' +
      'visitors. `userId` selects the conversations in which this user is a participant. No entry belongs to a ' +
      '`workflowId`.',
    auth: 'workspace',
    permission: 'logs.read',
    errors: ['InvalidQuery', 'ResourceNotFound'],
    input: v.object({
      ...schemas.sizedPage,
      timeStart: maybe(timestamp),
      timeEnd: maybe(timestamp),
      level: maybe(v.picklist(['info', 'warn', 'error'])),
      conversationId: text,
      userId: text,
      workflowId: text,
      messageContains: text,
    }),
    output: v.object({
      logs: v.array(botLogSchemas.botLog),
      // Also here, as the hosted product returns it.
      nextToken: maybe(v.string()),
      meta: schemas.meta,
    }),
    examples: [
      { id: '<<bot>>', timeStart: '2020-01-01T00:00:00Z', level: 'error', messageContains: 'failed' },
    ],
  }),

  listDeadLetters: query({
    route: 'GET /bots/{id}/dead-letters',
    summary:
      'Lists the dead letters of a bot, newest first: events that its webhook did not accept in any attempt.',
    auth: 'workspace',
    permission: 'logs.read',
    errors: ['InvalidQuery', 'ResourceNotFound'],
    input: v.object(schemas.sizedPage),
    output: v.object({ deadLetters: v.array(botLogSchemas.deadLetter), meta: schemas.meta }),
    examples: [{ id: '<<bot>>' }],
  }),

  redeliverDeadLetter: mutation({
    route: 'POST /bots/{id}/dead-letters/{eventId}/redeliver',
    summary: 'Delivers a dead letter again, starting with its first attempt.',
    auth: 'workspace',
    permission: 'logs.write',
    errors: ['ResourceNotFound'],
    output: schemas.nothing,
    examples: [{ id: '<<bot>>', eventId: 'evt_none' }],
  }),

  deleteDeadLetter: mutation({
    route: 'DELETE /bots/{id}/dead-letters/{eventId}',
    summary: 'Deletes a dead letter.',
    auth: 'workspace',
    permission: 'logs.write',
    errors: ['ResourceNotFound'],
    output: schemas.nothing,
    examples: [{ id: '<<bot>>', eventId: 'evt_none' }],
  }),
});
