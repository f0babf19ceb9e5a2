// Serializes rows of the Chat API, except messages and events, which streams send too (api/serializers.ts).
import type { Conversation, File, FileStatus, Invitation } from '../../protocol/types/chat.ts';
import type { User } from '../../protocol/user.ts';
import { timestamp } from '../api/serializers.ts';
import type { ConversationRow } from '../storage/chat/conversations.ts';
import type { InvitationRow } from '../storage/chat/invitations.ts';
import type { UserRow } from '../storage/chat/users.ts';
import type { FileRow } from '../storage/files/files.ts';
import { publicId } from '../storage/ids.ts';

export function serializeUser(row: UserRow, id: string = publicId(row)): User {
  return {
    id,
    ...(row.name === null ? {} : { name: row.name }),
    ...(row.pictureUrl === null ? {} : { pictureUrl: row.pictureUrl }),
    ...(row.profile === null ? {} : { profile: row.profile }),
    createdAt: timestamp(row.createdAt),
    updatedAt: timestamp(row.updatedAt),
  };
}

export function serializeConversation(row: ConversationRow, id: string = publicId(row)): Conversation {
  return { id, createdAt: timestamp(row.createdAt), updatedAt: timestamp(row.updatedAt) };
}

export function serializeInvitation(row: InvitationRow): Invitation {
  return {
    conversationId: publicId(row),
    invitedBy: row.ownerForeignId ?? row.ownerId,
    invitedAt: timestamp(row.invitedAt),
  };
}

/** A visitor's file without its address, which depends on the caller. */
export function serializeFile(row: FileRow): Omit<File, 'url'> {
  const { id, key, size, contentType, status } = row;
  return {
    id,
    key,
    size,
    contentType,
    // Files of visitors are not indexed.
    status: status as FileStatus,
    createdAt: timestamp(row.createdAt),
    updatedAt: timestamp(row.updatedAt),
  };
}
