// Schemas of a bot's log, and of events that could not be delivered.
import * as v from 'valibot';
import { botLogTypes, deadLetterTypes } from '../../admin/bot-log.ts';
import { described, describedObject, maybe } from '../base/described.ts';
import { data, timestamp } from '../base/values.ts';

const botLog = describedObject(
  "One entry of a bot's log. It contains ids, numbers and texts of the server, never content of users.",
  {
    id: v.string(),
    timestamp,
    level: v.picklist(['info', 'warn', 'error']),
    type: v.picklist(botLogTypes),
    message: described(v.string(), 'A description of the entry.'),
    eventId: v.string(),
    conversationId: v.string(),
    attempt: described(v.number(), 'Counts from 1.'),
    status: maybe(v.number(), 'The HTTP status of the response, if there was one.'),
    reason: maybe(v.string(), 'The cause if there was no response, such as `timeout` or `ECONNREFUSED`.'),
    error: maybe(
      data,
      'The type, code and stack of an error that bot code threw. Its message only if the server wrote ' +
        'it, without values.',
    ),
  },
);
const deadLetter = describedObject('An event that could not be delivered.', {
  eventId: v.string(),
  conversationId: v.string(),
  userId: v.string(),
  type: described(v.picklist(deadLetterTypes), 'The cause of the event.'),
  createdAt: timestamp,
  failedAt: timestamp,
  attempts: v.number(),
  reason: described(v.string(), 'Why the last attempt failed: the HTTP status, or a short code.'),
});

export const botLogSchemas = { botLog, deadLetter };

export const types = { BotLog: botLog, DeadLetter: deadLetter };
