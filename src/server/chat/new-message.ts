// A message before it is stored, as the last one of its conversation: content, canonical payload, and data of the page.
import type { VisitorLocale } from '../../protocol/headers.ts';
import { limits } from '../../protocol/limits.ts';
import type { Metadata, Payload } from '../../protocol/message.ts';
import type { Part } from '../../protocol/parts.ts';
import type { Person } from '../../protocol/types/handling.ts';
import type { PageClient } from '../../protocol/types/interrupts.ts';
import { assertSize } from '../api/validation.ts';
import type { DeliveryRow } from '../storage/bots/deliveries.ts';
import type { ConversationRow } from '../storage/chat/conversations.ts';
import type { MessageRow } from '../storage/chat/messages.ts';
import { createId } from '../storage/ids.ts';
import type { AskedInterrupts } from './interrupts/interrupts.ts';

export interface MessageContent {
  payload: Payload;
  metadata?: Metadata;
  parts?: readonly Part[];
  /** The open interrupts among the parts. */
  interrupts?: AskedInterrupts;
}

/** The content of a message, and its effects on earlier ones. */
export interface StoredContent extends MessageContent {
  isSynthetic?: boolean;
  /** It ends an answer of the bot that somebody stopped: it may be stored although a person answers now. */
  isEnd?: boolean;
  /** The message whose place the new one takes, and that of all messages after it. */
  replaced?: MessageRow | undefined;
  /** The offer of the author's page to the bot. */
  client?: PageClient | undefined;
}

/**
 * The author of a message or event: a user, the bot, or a person (`person`) as one of its users. `origin` deduplicates a bot's
 * writes; `locale`: for the bot; `isSilent`: causes no event about it, also for a bot that receives events about its own messages.
 */
export interface Author {
  id: string;
  foreignId: string | null;
  isBot: boolean;
  person?: Person | undefined;
  origin?: string;
  isSilent?: boolean;
  locale?: VisitorLocale | undefined;
}

/** The row of a message. `place`: its sequence number in the conversation, and its time. */
export const newMessage = (
  conversationId: string,
  { seq, at }: { seq: number; at: number },
  author: Author,
  { payload, metadata, parts = [] }: MessageContent,
): MessageRow => ({
  id: createId('msg'),
  conversationId,
  seq,
  userId: author.id,
  userForeignId: author.foreignId,
  isBot: author.isBot ? 1 : 0,
  author: author.person ? JSON.stringify(author.person) : null,
  payload: JSON.stringify(payload),
  metadata: metadata ? JSON.stringify(metadata) : null,
  feedback: null,
  parts: parts.length > 0 ? JSON.stringify(parts) : null,
  createdAt: at,
  updatedAt: null,
  isSynthetic: 0,
  supersedes: null,
  supersededBy: null,
});

/** The conversation, whose row is locked, with one more message. `at`: the time, which never stands still in a conversation. */
export const withMessage = <Row extends ConversationRow>(conversation: Row, at: number): Row => ({
  ...conversation,
  seq: conversation.seq + 1,
  messageCount: conversation.messageCount + 1,
  updatedAt: conversation.updatedAt >= at ? conversation.updatedAt + 1 : at,
});

/** Throws PayloadTooLarge for too much data of the page. */
export const assertClientSize = (client: PageClient | undefined): void =>
  void assertSize('client', client, limits.client.bytes);

/** The data that the page offered with a message, or with an answer to a question of the bot; {} for nothing. */
export const clientOf = ({ kind, data }: Pick<DeliveryRow, 'kind' | 'data'>): { client?: PageClient } => {
  const { client } = (kind === 'message' || kind === 'resume' ? JSON.parse(data ?? '{}') : {}) as {
    client?: PageClient;
  };
  return client === undefined ? {} : { client };
};

/**
 * The data of the event of a message; null without an offer of the page. It is stored with the event (column `data`), and
 * deleted with it.
 */
export const clientData = (client: PageClient | undefined): string | null =>
  client === undefined ? null : JSON.stringify({ client });

/**
 * A payload in canonical form. Existing clients send two variants: carousel items with and without `type: 'card'`, bloc items
 * flat and nested as `{type, payload}`. Any other value is returned unchanged. Must run before the validation by schemas.
 */
export function canonicalPayload(payload: unknown): unknown {
  if (!isObject(payload) || !Array.isArray(payload.items)) return payload;
  if (payload.type === 'carousel') {
    return {
      ...payload,
      items: payload.items.map((item) => (isObject(item) ? { type: 'card', ...item } : item)),
    };
  }
  if (payload.type === 'bloc') {
    return {
      ...payload,
      items: payload.items.map((item) =>
        isObject(item) && isObject(item.payload) ? { ...item.payload, type: item.type } : item,
      ),
    };
  }
  return payload;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
