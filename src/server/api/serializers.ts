// Serializes rows that several features and the streams send to the types of the protocol. An id is written as the caller
// spelled it, otherwise as foreign id, otherwise as server id. The serializers of a feature are in its serializers.ts.
import type { Feedback, Message, Metadata, Payload } from '../../protocol/message.ts';
import { omitLongValues, type Part } from '../../protocol/parts.ts';
import type { Member } from '../../protocol/types/admin.ts';
import type { Event } from '../../protocol/types/chat.ts';
import type { MessageAuthor, Person } from '../../protocol/types/handling.ts';
import type { MemberRow } from '../storage/admin/workspaces.ts';
import type { EventRow } from '../storage/chat/events.ts';
import type { MessageRow } from '../storage/chat/messages.ts';

/** Callers must have checked permissions. */
export function serializeMember(row: MemberRow): Member {
  const { id, email, role, displayName, profilePicture, createdAt } = row;
  return {
    id,
    createdAt: timestamp(createdAt),
    email,
    role,
    ...(displayName === null ? {} : { displayName }),
    ...(profilePicture === null ? {} : { profilePicture }),
  };
}

/** `conversationId` and `userId`: the ids as this response spells them. */
export function serializeMessage(
  row: MessageRow,
  conversationId: string,
  userId: string = row.userForeignId ?? row.userId,
): Message {
  return {
    id: row.id,
    createdAt: timestamp(row.createdAt),
    payload: JSON.parse(row.payload) as Payload,
    userId,
    conversationId,
    ...(row.metadata === null ? {} : { metadata: JSON.parse(row.metadata) as Metadata }),
    // Other messages are those of the visitor and the bot, whose shape existing clients compare field by field.
    ...(row.author === null ? {} : { author: authorOf(row) }),
    ...(row.feedback === null ? {} : { feedback: JSON.parse(row.feedback) as Feedback }),
    ...(row.parts === null ? {} : { parts: JSON.parse(row.parts) as Part[] }),
    ...(row.supersedes === null ? {} : { supersedes: row.supersedes }),
    ...(row.supersededBy === null ? {} : { supersededBy: row.supersededBy }),
  };
}

/** The author of a message, as visitors see them. */
export function authorOf({ isBot, author }: Pick<MessageRow, 'isBot' | 'author'>): MessageAuthor {
  if (isBot === 1) return { kind: 'bot' };
  if (author === null) return { kind: 'visitor' };
  const { name, pictureUrl } = JSON.parse(author) as Person;
  return { kind: 'person', name, ...(pictureUrl === undefined ? {} : { pictureUrl }) };
}

/** A message for lists and signals: without the long values of its parts, which `getMessage` returns. */
export function withoutLongValues<Listed extends Message>(message: Listed): Listed {
  return message.parts ? { ...message, parts: message.parts.map(omitLongValues) } : message;
}

export function serializeEvent(
  row: EventRow,
  conversationId: string,
  userId: string = row.userForeignId ?? row.userId,
): Event {
  return {
    id: row.id,
    createdAt: timestamp(row.createdAt),
    payload: JSON.parse(row.payload) as Event['payload'],
    conversationId,
    userId,
  };
}

/** Formats a time as ISO 8601 in UTC with `Z`, because existing clients reject numeric offsets. */
export function timestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
