// Schemas of the Chat API, and those that all APIs use: they validate requests and document responses.
import * as v from 'valibot';
import { foreignIdPattern } from '../limits.ts';
import { foreignUserIdPattern, foreignUserIdRule } from '../user.ts';
import { userKeyInput } from './base/user-key-input.ts';
import { data, filledStorableText, filledText, storableText } from './base/values.ts';
import { conversationSchemas } from './chat/conversations.ts';
import { chatFileSchemas } from './chat/files.ts';
import { messageSchemas } from './chat/messages.ts';
import { userSchemas } from './chat/users.ts';
import { webchatSchemas } from './chat/webchat.ts';
import { error } from './error.ts';
import { payload } from './payloads.ts';
import { meta, queries } from './query.ts';

export const schemas = {
  text: filledText,
  whole: storableText,
  data,
  /** An id that a client chooses for a conversation. */
  foreignId: v.pipe(v.string(), v.regex(foreignIdPattern)),
  /** An id that an application chooses for a user. */
  foreignUserId: v.pipe(v.string(), v.regex(foreignUserIdPattern, `Expected ${foreignUserIdRule}.`)),
  userKey: userKeyInput,
  id: filledStorableText,
  ...userSchemas,
  ...conversationSchemas,
  ...messageSchemas,
  ...chatFileSchemas,
  ...webchatSchemas,
  payload,
  error,
  meta,
  ...queries,
  nothing: v.object({}),
};
