// Schemas of messages, and of the feedback of visitors on them.
import * as v from 'valibot';
import { limits } from '../../limits.ts';
import { describedObject, maybe } from '../base/described.ts';
import { data, storableText, timestamp } from '../base/values.ts';
import { handlingSchemas } from '../handling.ts';
import { partSchemas } from '../parts.ts';
import { payload } from '../payloads.ts';

const feedback = describedObject("The visitor's feedback on a message. A plain server never sends it.", {
  value: v.picklist(['positive', 'negative']),
  comment: maybe(v.pipe(storableText, v.maxLength(limits.feedbackComment))),
});

const message = describedObject(
  'A message as the Chat API returns it. `metadata` is next to `payload`, never inside it.',
  {
    id: v.string(),
    createdAt: timestamp,
    payload,
    userId: v.string(),
    conversationId: v.string(),
    metadata: maybe(data),
    author: maybe(
      handlingSchemas.author,
      'The author, if it is a person who answers; in the Inbox API of every message.',
    ),
    feedback: maybe(feedback, "The visitor's feedback on a message of the bot, if any."),
    parts: maybe(
      v.array(partSchemas.part),
      'Content that is shown with the text of an answer: steps, sources, suggestions. Only messages of a bot have parts.',
    ),
    supersedes: maybe(
      v.string(),
      'The earlier message of the same author whose place this one takes. It and all messages between ' +
        'them are superseded: they stay in lists, and are not shown.',
    ),
    supersededBy: maybe(v.string(), 'The message that has taken the place of this one, or of one before it.'),
  },
);

export const messageSchemas = { feedback, message };

export const types = { Message: message, Feedback: feedback };
