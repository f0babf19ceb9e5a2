// Serializes rows for the Runtime API, with server ids.
import type { RuntimeConversation, RuntimeUser } from '../../protocol/runtime.ts';
import { toConversation, toUser } from '../api/serializers.ts';
import type { ConversationRow } from '../storage/chat/conversations.ts';
import type { UserRow } from '../storage/chat/users.ts';

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
