// Loads the event object and its related records for one delivery to a bot, from the database each time.
import type { BotEvent } from '../../protocol/bot.ts';
import type { VisitorLocale } from '../../protocol/headers/locale.ts';
import type { Message } from '../../protocol/message.ts';
import { preview } from '../../protocol/message.ts';
import { serializeMessage } from '../api/serializers.ts';
import { type BotRow, botById } from '../storage/bots/bots.ts';
import type { DeliveryRow } from '../storage/bots/deliveries.ts';
import { type ConversationRow, conversationById } from '../storage/chat/conversations.ts';
import { findEvent } from '../storage/chat/events.ts';
import { findMessage, streamedMessages } from '../storage/chat/messages.ts';
import { type UserRow, userById } from '../storage/chat/users.ts';
import type { Tx } from '../storage/database.ts';

export interface EventContext {
  bot: BotRow;
  event: BotEvent;
  message: Message | undefined;
  user: UserRow;
  conversation: ConversationRow;
  /** Streamed messages that the visitor stopped in an earlier delivery of the event, by origin. */
  stoppedMessages: ReadonlyMap<string, Message>;
}

/** The context of a delivery, with server ids; undefined when a record that it needs was deleted. */
export async function loadEventContext(tx: Tx, delivery: DeliveryRow): Promise<EventContext | undefined> {
  const conversation = await conversationById(tx, delivery.conversationId);
  const bot = conversation && (await botById(tx, conversation.botId));
  const user = await userById(tx, delivery.userId);
  const cause = await loadCause(tx, delivery);
  if (!bot || !user || !cause) return undefined;
  const { message, payload, type, previewText = preview(payload) } = cause;
  const event: BotEvent = {
    botId: bot.id,
    conversationId: conversation.id,
    createdOn: new Date(delivery.createdAt),
    direction: 'incoming',
    id: delivery.eventId,
    integration: 'chat',
    ...(delivery.locale === null ? {} : { locale: JSON.parse(delivery.locale) as VisitorLocale }),
    ...(message ? { messageId: message.id } : {}),
    payload,
    preview: previewText,
    state: {},
    tags: {
      conversation: { owner: conversation.ownerId, ...tag('fid', conversation.foreignId) },
      message: {},
      user: { ...tag('fid', user.foreignId), ...tag('profile', user.profile) },
    },
    type,
    userId: user.id,
  };
  const stoppedMessages = new Map<string, Message>();
  for (const row of delivery.attempts > 1 ? await streamedMessages(tx, delivery.eventId) : []) {
    const streamed = serializeMessage(row, conversation.id);
    if (streamed.metadata?.stopped) stoppedMessages.set(row.origin, streamed);
  }
  return { bot, event, message, user, conversation, stoppedMessages };
}

interface Cause {
  type: BotEvent['type'];
  payload: Record<string, unknown>;
  message?: Message;
  /** The plain-text form of the event, where it differs from that of the payload. */
  previewText?: string;
}

/** What caused the event: a message, a custom event, feedback, the start of the conversation, or a merged user. */
async function loadCause(tx: Tx, { kind, ref, data }: DeliveryRow): Promise<Cause | undefined> {
  if (kind === 'conversation_started') return { type: 'conversation_started', payload: {}, previewText: '' };
  if (kind === 'user_merged') {
    const payload = JSON.parse(data ?? '{}') as Record<string, unknown>;
    return { type: 'user_merged', payload, previewText: '' };
  }
  if (kind === 'custom') {
    const event = await findEvent(tx, ref ?? '');
    return event && { type: 'custom', payload: JSON.parse(event.payload) as Record<string, unknown> };
  }
  const row = await findMessage(tx, ref ?? '');
  if (!row) return undefined;
  if (kind === 'feedback') {
    const { value, comment } = JSON.parse(data ?? '{}') as { value: string; comment?: string };
    const previewText = comment ? `${value}\n${comment}` : value;
    const payload = { messageId: row.id, value, ...(comment === undefined ? {} : { comment }) };
    return { type: 'feedback', payload, previewText };
  }
  const message = serializeMessage(row, row.conversationId, row.userId);
  return { type: message.payload.type, payload: { ...message.payload }, message };
}

function tag(name: string, value: string | null): Record<string, string> {
  return value === null ? {} : { [name]: value };
}
