// Serializes rows for the Runtime API, with server ids. Tags are read for all rows of a response at once.
import type {
  RuntimeConversation,
  RuntimeEvent,
  RuntimeMessage,
  RuntimeState,
  RuntimeUser,
  StateType,
} from '../../protocol/types/runtime.ts';
import { serializeEvent, serializeMessage, timestamp } from '../api/serializers.ts';
import { serializeConversation, serializeUser } from '../chat/index.ts';
import { deliveryStates } from '../storage/bots/deliveries.ts';
import type { ConversationRow } from '../storage/chat/conversations.ts';
import type { EventRow, ListedEvent } from '../storage/chat/events.ts';
import type { MessageRow } from '../storage/chat/messages.ts';
import type { UserRow } from '../storage/chat/users.ts';
import type { Tx } from '../storage/database.ts';
import type { StateRow } from '../storage/runtime/states.ts';
import { tagsOf } from '../storage/runtime/tags.ts';

/** The integration of every conversation: this server has no others. */
export const integration = 'chat';

/** The tags of a conversation that the server sets. */
export const conversationTags = ({ ownerId, foreignId }: ConversationRow) => ({
  owner: ownerId,
  ...(foreignId === null ? {} : { fid: foreignId }),
});

/** The tags of a user that the server sets. */
export const userTags = ({ foreignId, profile }: UserRow) => ({
  ...(foreignId === null ? {} : { fid: foreignId }),
  ...(profile === null ? {} : { profile }),
});

export async function serializeConversations(
  tx: Tx,
  rows: ConversationRow[],
): Promise<RuntimeConversation[]> {
  const of = await tagsOf(tx, idsOf(rows));
  return rows.map((row) => {
    const { tags, ...others } = of(row.id);
    return {
      ...serializeConversation(row, row.id),
      channel: row.channel,
      integration,
      messageCount: row.messageCount,
      tags: { ...tags, ...conversationTags(row) },
      ...others,
    };
  });
}

export async function serializeUsers(tx: Tx, rows: UserRow[]): Promise<RuntimeUser[]> {
  const of = await tagsOf(tx, idsOf(rows));
  return rows.map((row) => {
    const { tags, ...others } = of(row.id);
    return { ...serializeUser(row, row.id), tags: { ...tags, ...userTags(row) }, ...others };
  });
}

export async function serializeMessages(tx: Tx, rows: MessageRow[]): Promise<RuntimeMessage[]> {
  const of = await tagsOf(tx, idsOf(rows));
  return rows.map((row) => {
    const message = serializeMessage(row, row.conversationId, row.userId);
    return {
      ...message,
      updatedAt: timestamp(row.updatedAt ?? row.createdAt),
      type: message.payload.type,
      direction: row.isBot === 1 ? 'outgoing' : 'incoming',
      tags: of(row.id).tags,
      ...(row.isSynthetic === 1 ? { origin: 'synthetic' } : {}),
    };
  });
}

/** The first of the serialized rows, for an operation on one resource. */
export const one = async <Row, Value>(
  serialize: (tx: Tx, rows: Row[]) => Promise<Value[]>,
  tx: Tx,
  row: Row,
): Promise<Value> => {
  const [value] = await serialize(tx, [row]);
  if (value === undefined) throw new Error('A row has no value.');
  return value;
};

/** An event without a delivery was processed: the bot sent it, or has handled it. */
export function serializeRuntimeEvent(row: EventRow & Partial<ListedEvent>): RuntimeEvent {
  const status = row.state === deliveryStates.deadLetter ? 'failed' : row.state ? 'pending' : 'processed';
  return {
    ...serializeEvent(row, row.conversationId, row.userId),
    type: row.type ?? 'custom',
    ...(row.messageId === null ? {} : { messageId: row.messageId }),
    status,
    failureReason: row.reason ?? null,
  };
}

export function serializeState(type: StateType, row: StateRow): RuntimeState {
  return {
    id: row.id,
    createdAt: timestamp(row.createdAt),
    updatedAt: timestamp(row.updatedAt),
    botId: row.botId,
    ...(type === 'conversation' ? { conversationId: row.ownerId } : {}),
    ...(type === 'user' ? { userId: row.ownerId } : {}),
    name: row.name,
    type,
    payload: JSON.parse(row.payload) as RuntimeState['payload'],
    ...(row.expiry === null ? {} : { expiry: row.expiry }),
    ...(row.expiresAt === null ? {} : { expiresAt: timestamp(row.expiresAt) }),
  };
}

const idsOf = (rows: { id: string }[]): string[] => rows.map(({ id }) => id);
