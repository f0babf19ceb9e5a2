// Schemas of the Runtime API that the Chat API does not have.
import * as v from 'valibot';
import type { RuntimeConversation, RuntimeStream, RuntimeUser, StreamPosition } from '../runtime.ts';
import { schemas } from './chat.ts';

const maybe = v.exactOptional;
const timestamp = v.pipe(v.string(), v.isoTimestamp());

export const runtimeSchemas = {
  conversation: v.object({
    ...schemas.conversation.entries,
    tags: v.object({ owner: v.string(), fid: maybe(v.string()) }),
  }) satisfies v.GenericSchema<unknown, RuntimeConversation>,
  user: v.object({
    ...schemas.user.entries,
    tags: v.object({ fid: maybe(v.string()), profile: maybe(v.string()) }),
  }) satisfies v.GenericSchema<unknown, RuntimeUser>,
  stream: v.object({
    id: v.string(),
    conversationId: v.string(),
    createdAt: timestamp,
  }) satisfies v.GenericSchema<unknown, RuntimeStream>,
  position: v.object({
    position: v.number(),
    stopped: v.boolean(),
  }) satisfies v.GenericSchema<unknown, StreamPosition>,
};
