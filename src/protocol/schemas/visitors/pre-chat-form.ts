// Schemas of the answers to the form before a conversation.
import * as v from 'valibot';
import { limits } from '../../limits.ts';
import { isPlainLine, preChatLimits } from '../../pre-chat-form/answers.ts';
import { describedObject, maybe } from '../base/described.ts';
import { schemas } from '../chat.ts';
import { visitorEmail } from '../contact.ts';

const line = (length: number) =>
  v.pipe(
    schemas.whole,
    v.trim(),
    v.nonEmpty('Expected a text that is not empty.'),
    v.maxLength(length),
    v.check(isPlainLine, 'Expected one line of plain text, without control characters and without tags.'),
  );

const answers = describedObject(
  'The answers as a client sends them, with the conversation that they begin. Each is left out if the form does not ' +
    'ask for it.',
  {
    name: maybe(line(limits.userName)),
    email: maybe(visitorEmail),
    topic: maybe(line(preChatLimits.topic), 'One of the topics of the site.'),
    consent: maybe(line(preChatLimits.consent), 'The sentence to which the visitor has agreed.'),
    fields: maybe(
      v.pipe(
        v.record(line(preChatLimits.fieldName), line(preChatLimits.fieldValue)),
        v.check(
          (fields) => Object.keys(fields).length <= preChatLimits.fields,
          `Expected at most ${preChatLimits.fields} fields.`,
        ),
      ),
      'The answers in the fields of the site, by the name of the field.',
    ),
  },
);

const form = describedObject(
  'The values that are kept with the conversation. Name and e-mail address belong to the visitor, and are kept there.',
  {
    topic: maybe(v.string(), 'One of the topics of the site.'),
    consent: maybe(v.object({ text: v.string(), at: v.string() }), '`at`: when the server received it.'),
    fields: maybe(
      v.record(v.string(), v.string()),
      'The answers in the fields of the site, by the name of the field.',
    ),
  },
);

export const preChatSchemas = {
  answers,
  /** As the team reads it. */
  form,
};

export const types = { PreChatAnswers: answers, PreChatForm: form };
