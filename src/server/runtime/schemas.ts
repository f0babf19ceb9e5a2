// The shapes of the Runtime API that the Chat API does not have, held to the protocol by the compiler; and how rows are
// told to bots: by the ids of the server.
import * as v from 'valibot';
import type {
  RuntimeConversation,
  RuntimeStream,
  RuntimeUser,
  StreamPosition,
} from '../../protocol/runtime.ts';
import { schemas } from '../api/schemas.ts';
import { toConversation, toUser } from '../api/serializers.ts';
import type { ConversationRow } from '../storage/chat/conversations.ts';
import type { UserRow } from '../storage/chat/users.ts';

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

export const toRuntimeConversation = (row: ConversationRow): RuntimeConversation => ({
  ...toConversation(row, row.id),
  tags: { owner: row.ownerId, ...(row.foreignId === null ? {} : { fid: row.foreignId }) },
});

export const toRuntimeUser = (row: UserRow): RuntimeUser => ({
  ...toUser(row, row.id),
  tags: {
    ...(row.foreignId === null ? {} : { fid: row.foreignId }),
    ...(row.profile === null ? {} : { profile: row.profile }),
  },
});
