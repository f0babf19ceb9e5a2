// What caused an event of a bot, as the event contains it.
import type { BotEvent } from '../../../protocol/bot.ts';
import type { Message } from '../../../protocol/message.ts';
import { serializeMessage } from '../../api/serializers.ts';
import { type DeliveryRow, isHandoffEvent } from '../../storage/bots/deliveries.ts';
import { findPreChatForm } from '../../storage/chat/conversations.ts';
import { findEvent } from '../../storage/chat/events.ts';
import { findMessage, type MessageRow } from '../../storage/chat/messages.ts';
import type { Tx } from '../../storage/database.ts';

export interface Cause {
  type: BotEvent['type'];
  payload: Record<string, unknown>;
  message?: Message;
  /** The message that the event is about, if it is none itself. */
  messageId?: string;
  /** The plain-text form of the event, where it differs from that of the payload. */
  previewText?: string;
  /** True for what the bot sent. */
  isOutgoing?: boolean;
}

/** What caused the event: a message, a custom event, feedback, the start of the conversation, a merged user, or answers. */
export async function loadCause(
  tx: Tx,
  { kind, ref, data, conversationId }: DeliveryRow,
): Promise<Cause | undefined> {
  if (kind === 'conversation_started') {
    const preChatForm = await findPreChatForm(tx, conversationId);
    return { type: kind, payload: preChatForm ? { preChatForm } : {}, previewText: '' };
  }
  if (isHandoffEvent(kind)) return { type: kind, payload: JSON.parse(data ?? '{}'), previewText: '' };
  if (kind === 'user_merged')
    return { type: 'user_merged', payload: JSON.parse(data ?? '{}'), previewText: '' };
  if (kind === 'custom') {
    const event = await findEvent(tx, ref ?? '');
    if (!event) return undefined;
    const payload = JSON.parse(event.payload) as Record<string, unknown>;
    return { type: 'custom', payload, isOutgoing: event.isBot === 1 };
  }
  const row = await findMessage(tx, ref ?? '');
  if (!row) return undefined;
  if (kind === 'resume') {
    const { client: _, ...payload } = JSON.parse(data ?? '{}') as Record<string, unknown>;
    return { type: 'resume', payload, previewText: '', messageId: row.id };
  }
  if (kind === 'feedback') {
    const { value, comment } = JSON.parse(data ?? '{}') as { value: string; comment?: string };
    const previewText = comment ? `${value}\n${comment}` : value;
    const payload = { messageId: row.id, value, ...(comment === undefined ? {} : { comment }) };
    return { type: 'feedback', payload, previewText };
  }
  if (kind === 'message_for_person') {
    // Not the message itself: bots answer what is one.
    const { payload } = causeOfMessage(row);
    return { type: kind, payload, messageId: row.id };
  }
  return causeOfMessage(row);
}

export function causeOfMessage(row: MessageRow): Cause {
  const message = serializeMessage(row, row.conversationId, row.userId);
  const payload = { ...message.payload };
  return { type: message.payload.type, payload, message, isOutgoing: row.isBot === 1 };
}
