// Loads the event object and its related records for one delivery to a bot, from the database each time.
import type { BotEvent } from '../../protocol/bot.ts';
import type { VisitorLocale } from '../../protocol/headers.ts';
import { type Message, preview } from '../../protocol/message.ts';
import { serializeMessage } from '../api/serializers.ts';
import { type Author, clientOf, type WrittenEvent } from '../chat/index.ts';
import { type BotRow, botById } from '../storage/bots/bots.ts';
import { type DeliveryRow, findDelivery, isHandoffEvent } from '../storage/bots/deliveries.ts';
import { type ConversationRow, conversationById, findPreChatForm } from '../storage/chat/conversations.ts';
import { findEvent } from '../storage/chat/events.ts';
import { findMessage, type MessageRow, streamedMessages } from '../storage/chat/messages.ts';
import type { EventExtras } from '../storage/chat/new-messages.ts';
import { type UserRow, userById } from '../storage/chat/users.ts';
import type { Database, Tx } from '../storage/database.ts';
import { statesOf } from '../storage/runtime/states.ts';
import { type TagSets, tagsOf } from '../storage/runtime/tags.ts';
import { type KnowledgeIndexes, knowledgeOf } from './knowledge.ts';
import { type HostedContext, hostedContextOf } from './webhooks/hosted-format.ts';

export interface EventContext {
  bot: BotRow;
  event: BotEvent;
  message: Message | undefined;
  user: UserRow;
  conversation: ConversationRow;
  /** For the webhook of a bot that reads requests of the hosted product. */
  hosted: HostedContext | undefined;
  /** Streamed messages that the visitor stopped in an earlier delivery of the event, by origin. */
  stoppedMessages: ReadonlyMap<string, Message>;
}

/** The author of what the bot sends. An answer to its own message causes no further event. */
export const authorOf = ({ bot, event }: EventContext): Author => {
  return { id: bot.userId, foreignId: null, isBot: true, isSilent: event.direction === 'outgoing' };
};

interface LoadOptions {
  now: number;
  knowledge: KnowledgeIndexes;
}

/**
 * An event with its context; undefined when it was deleted. The context is undefined when a record that it needs was
 * deleted.
 */
export async function loadEvent(
  tx: Tx,
  eventId: string,
  options: LoadOptions,
): Promise<{ delivery: DeliveryRow; context: EventContext | undefined } | undefined> {
  const delivery = await findDelivery(tx, eventId);
  return delivery && { delivery, context: await loadEventContext(tx, delivery, options) };
}

/** The context of a delivery, with server ids; undefined when a record that it needs was deleted. */
async function loadEventContext(
  tx: Tx,
  delivery: DeliveryRow,
  options: LoadOptions,
): Promise<EventContext | undefined> {
  const conversation = await conversationById(tx, delivery.conversationId);
  const bot = conversation && (await botById(tx, conversation.botId));
  const user = await userById(tx, delivery.userId);
  const cause = await loadCause(tx, delivery);
  if (!bot || !user || !cause) return undefined;
  const rows = { delivery, bot, user, conversation, cause };
  const all = { states: true, tags: true, knowledgeBases: true };
  const extras = await loadExtras(tx, rows, all, options);
  const stoppedMessages = new Map<string, Message>();
  for (const row of delivery.attempts > 1 ? await streamedMessages(tx, delivery.eventId) : []) {
    const streamed = serializeMessage(row, conversation.id);
    if (streamed.metadata?.stopped) stoppedMessages.set(row.origin, streamed);
  }
  return createContext(rows, extras, await hostedOf(tx, rows), stoppedMessages);
}

/** The context of the event of a message at its first delivery: reads only what the event contains besides it. */
export async function contextOfWritten(
  db: Database,
  written: WrittenEvent,
  options: LoadOptions,
): Promise<EventContext> {
  const { delivery, bot, user, conversation, message, extras } = written;
  const rows = { delivery, bot, user, conversation, cause: causeOfMessage(message) };
  const hasExtras = extras.states || extras.tags || extras.knowledgeBases;
  const loaded = hasExtras ? await db.read((tx) => loadExtras(tx, rows, extras, options)) : noExtras();
  const hosted = bot.webhookUrl === null ? undefined : await db.read((tx) => hostedOf(tx, rows));
  return createContext(rows, loaded, hosted, new Map());
}

const hostedOf = async (tx: Tx, { bot, conversation }: EventRows): Promise<HostedContext | undefined> =>
  bot.webhookUrl === null ? undefined : hostedContextOf(tx, bot, conversation);

interface EventRows {
  delivery: DeliveryRow;
  bot: BotRow;
  user: UserRow;
  conversation: ConversationRow;
  cause: Cause;
}

/** The content of an event besides its cause. */
interface LoadedExtras {
  tags(id: string): TagSets;
  states: BotEvent['state'];
  kb: BotEvent['kb'];
}

/** Created for each event, because bot code may change its event. */
const noExtras = (): LoadedExtras => ({
  tags: () => ({ tags: {} }),
  states: { conversation: {}, user: {} },
  kb: undefined,
});

/** `wanted`: the others are not read. */
async function loadExtras(
  tx: Tx,
  { bot, user, conversation, cause: { message, payload, isOutgoing = false } }: EventRows,
  wanted: EventExtras,
  { now, knowledge }: LoadOptions,
): Promise<LoadedExtras> {
  const ids = [conversation.id, user.id, ...(message ? [message.id] : [])];
  const text = 'text' in payload && typeof payload.text === 'string' ? payload.text : '';
  const hasKnowledge = wanted.knowledgeBases && message && !isOutgoing;
  return {
    tags: wanted.tags ? await tagsOf(tx, ids) : noExtras().tags,
    states: wanted.states
      ? {
          conversation: await payloadsOf(tx, conversation.id, now),
          user: await payloadsOf(tx, user.id, now),
        }
      : noExtras().states,
    kb: hasKnowledge ? await knowledgeOf(tx, knowledge, bot.id, text) : undefined,
  };
}

function createContext(
  { delivery, bot, user, conversation, cause }: EventRows,
  { tags, states, kb }: LoadedExtras,
  hosted: HostedContext | undefined,
  stoppedMessages: EventContext['stoppedMessages'],
): EventContext {
  const { message, payload, type, previewText = preview(payload), isOutgoing = false } = cause;
  const { messageId = message?.id } = cause;
  const { userId } = delivery;
  const conversationId = conversation.id;
  const event = {
    botId: bot.id,
    conversationId,
    createdOn: new Date(delivery.createdAt),
    direction: isOutgoing ? 'outgoing' : 'incoming',
    id: delivery.eventId,
    integration,
    ...(kb === undefined ? {} : { kb }),
    ...clientOf(delivery),
    ...(delivery.locale === null ? {} : { locale: JSON.parse(delivery.locale) as VisitorLocale }),
    ...(messageId === undefined ? {} : { messageId }),
    payload,
    preview: previewText,
    state: states,
    ...(message?.supersedes === undefined ? {} : { supersedes: message.supersedes }),
    tags: {
      conversation: {
        ...tags(conversation.id).tags,
        owner: conversation.ownerId,
        ...tag('fid', conversation.foreignId),
      },
      message: message ? tags(message.id).tags : {},
      user: { ...tags(user.id).tags, ...tag('fid', user.foreignId), ...tag('profile', user.profile) },
    },
    ...(message ? {} : { trigger: triggerOf(bot, type, conversationId, userId) }),
    type,
    userId,
    // The payload is that of the type.
  } as BotEvent;
  return { bot, event, message, user, conversation, hosted, stoppedMessages };
}

/** The integration of every event: this server has no others. */
const integration = 'chat';

/** The states of a conversation or a user, by name. */
async function payloadsOf(tx: Tx, ownerId: string, now: number): Promise<Record<string, unknown>> {
  const rows = await statesOf(tx, ownerId, now);
  // Names such as __proto__ become ordinary fields.
  return Object.fromEntries(rows.map(({ name, payload }) => [name, JSON.parse(payload) as unknown]));
}

/**
 * The sender of an event that is not a message. This server has no workflows, so that the bot takes the place of the workflow,
 * and the type of the event that of its node.
 */
const triggerOf = (bot: BotRow, type: string, conversationId: string, userId: string) => ({
  flowId: bot.id,
  nodeId: type,
  eventName: `${integration}:${type}`,
  integration,
  conversationId,
  userId,
});

function tag(name: string, value: string | null): Record<string, string> {
  return value === null ? {} : { [name]: value };
}

/** The cause of an event of a bot, as the event contains it. */
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

/** The cause of the event: a message, a custom event, feedback, the start of the conversation, a merged user, or answers. */
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
