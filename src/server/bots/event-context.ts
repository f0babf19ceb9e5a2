// Sets the scene for bot code: the event object and the records around it, read anew for each delivery.
import type { BotEvent } from '../../protocol/bot.ts';
import type { Message } from '../../protocol/message.ts';
import { preview } from '../../protocol/message.ts';
import { toMessage } from '../api/serializers.ts';
import { type BotRow, botById } from '../storage/bots/bots.ts';
import type { DeliveryRow } from '../storage/bots/deliveries.ts';
import { type ConversationRow, conversationById } from '../storage/chat/conversations.ts';
import { findEvent } from '../storage/chat/events.ts';
import { findMessage, streamedMessages } from '../storage/chat/messages.ts';
import { type UserRow, userById } from '../storage/chat/users.ts';
import type { Tx } from '../storage/database.ts';

export interface Scene {
  bot: BotRow;
  event: BotEvent;
  message: Message | undefined;
  user: UserRow;
  conversation: ConversationRow;
  /** Answers that the visitor stopped in an earlier delivery of the event, by origin. */
  stopped: ReadonlyMap<string, Message>;
}

/** The scene of a delivery, ids in the server's spelling; undefined when what it is about was deleted. */
export async function loadScene(tx: Tx, delivery: DeliveryRow): Promise<Scene | undefined> {
  const conversation = await conversationById(tx, delivery.conversationId);
  const bot = conversation && (await botById(tx, conversation.botId));
  const user = await userById(tx, delivery.userId);
  const cause = await loadCause(tx, delivery);
  if (!bot || !user || !cause) return undefined;
  const { message, payload, type, words = preview(payload) } = cause;
  const event: BotEvent = {
    botId: bot.id,
    conversationId: conversation.id,
    createdOn: new Date(delivery.createdAt),
    direction: 'incoming',
    id: delivery.eventId,
    integration: 'chat',
    ...(message ? { messageId: message.id } : {}),
    payload,
    preview: words,
    state: {},
    tags: {
      conversation: { owner: conversation.ownerId, ...tag('fid', conversation.foreignId) },
      message: {},
      user: { ...tag('fid', user.foreignId), ...tag('profile', user.profile) },
    },
    type,
    userId: user.id,
  };
  const stopped = new Map<string, Message>();
  for (const row of delivery.attempts > 1 ? await streamedMessages(tx, delivery.eventId) : []) {
    const answer = toMessage(row, conversation.id);
    if (answer.metadata?.stopped) stopped.set(row.origin, answer);
  }
  return { bot, event, message, user, conversation, stopped };
}

interface Cause {
  type: BotEvent['type'];
  payload: Record<string, unknown>;
  message?: Message;
  /** The event in plain text, where it is not that of the payload. */
  words?: string;
}

/** What caused the event: a message, a custom event, an opinion, or the start itself. */
async function loadCause(tx: Tx, { kind, ref, data }: DeliveryRow): Promise<Cause | undefined> {
  if (kind === 'conversation_started') return { type: 'conversation_started', payload: {}, words: '' };
  if (kind === 'custom') {
    const event = await findEvent(tx, ref ?? '');
    return event && { type: 'custom', payload: JSON.parse(event.payload) as Record<string, unknown> };
  }
  const row = await findMessage(tx, ref ?? '');
  if (!row) return undefined;
  if (kind === 'feedback') {
    const { value, comment } = JSON.parse(data ?? '{}') as { value: string; comment?: string };
    const words = comment ? `${value}\n${comment}` : value;
    const payload = { messageId: row.id, value, ...(comment === undefined ? {} : { comment }) };
    return { type: 'feedback', payload, words };
  }
  const message = toMessage(row, row.conversationId, row.userId);
  return { type: message.payload.type, payload: { ...message.payload }, message };
}

function tag(name: string, value: string | null): Record<string, string> {
  return value === null ? {} : { [name]: value };
}
