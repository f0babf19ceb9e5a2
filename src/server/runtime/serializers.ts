// Serializes rows for the Runtime API, with server ids.
import type { RuntimeConversation, RuntimeUser } from '../../protocol/runtime.ts';
import { serializeConversation, serializeUser } from '../api/serializers.ts';
import type { ConversationRow } from '../storage/chat/conversations.ts';
import type { UserRow } from '../storage/chat/users.ts';

export const serializeRuntimeConversation = (row: ConversationRow): RuntimeConversation => ({
  ...serializeConversation(row, row.id),
  tags: { owner: row.ownerId, ...(row.foreignId === null ? {} : { fid: row.foreignId }) },
});

export const serializeRuntimeUser = (row: UserRow): RuntimeUser => ({
  ...serializeUser(row, row.id),
  tags: {
    ...(row.foreignId === null ? {} : { fid: row.foreignId }),
    ...(row.profile === null ? {} : { profile: row.profile }),
  },
});
