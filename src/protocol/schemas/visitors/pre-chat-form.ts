// Schemas of the answers to the form before a conversation.
import * as v from 'valibot';
import { limits } from '../../limits.ts';
import {
  isPlainLine,
  type PreChatAnswers,
  type PreChatForm,
  preChatLimits,
} from '../../pre-chat-form/answers.ts';
import { schemaOf } from '../base/schema-of.ts';
import { maybe } from '../base/values.ts';
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

export const preChatSchemas = {
  /** As a client sends them. */
  answers: schemaOf<PreChatAnswers>()(
    v.object({
      name: maybe(line(limits.userName)),
      email: maybe(visitorEmail),
      topic: maybe(line(preChatLimits.topic)),
      consent: maybe(line(preChatLimits.consent)),
      fields: maybe(
        v.pipe(
          v.record(line(preChatLimits.fieldName), line(preChatLimits.fieldValue)),
          v.check(
            (fields) => Object.keys(fields).length <= preChatLimits.fields,
            `Expected at most ${preChatLimits.fields} fields.`,
          ),
        ),
      ),
    }),
  ),
  /** As the team reads it. */
  form: schemaOf<PreChatForm>()(
    v.object({
      topic: maybe(v.string()),
      consent: maybe(v.object({ text: v.string(), at: v.string() })),
      fields: maybe(v.record(v.string(), v.string())),
    }),
  ),
};
