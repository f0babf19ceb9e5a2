// Generated from src/protocol/schemas/runtime.ts by type-modules.test.ts (`npm run generate`). Do not edit.
// biome-ignore-all format: generated
// biome-ignore-all assist/source/organizeImports: generated
import type { Conversation, Event, Message, User } from './chat.ts';
import type { PayloadType } from '../payloads.ts';

/** Texts under names, which a bot attaches to its conversations, messages and users to find them again. */
export type Tags = Record<string, string>;

/** A conversation as its bot sees it: `owner` is the user who created it, `fid` the id that the application chose. */
export interface RuntimeConversation extends Conversation {
  tags: { owner: string; fid?: string } & { [key: string]: string };
  /** `channel`, unless the bot named another one when it created the conversation. */
  channel: string;
  /** Always `chat`. */
  integration: string;
  messageCount: number;
  properties?: Tags;
}

/** A user as their bot sees them: `fid` is the id that the application chose. */
export interface RuntimeUser extends User {
  tags: { fid?: string; profile?: string } & { [key: string]: string };
  properties?: Tags;
  attributes?: Tags;
}

/** A message as its bot sees it. */
export interface RuntimeMessage extends Message {
  updatedAt: string;
  /** The type of the payload. */
  type: PayloadType;
  /** `outgoing`: the bot sent it. */
  direction: 'incoming' | 'outgoing';
  tags: Tags;
  origin?: 'synthetic';
}

/** A custom event as its bot sees it. */
export interface RuntimeEvent extends Event {
  /** `custom`, unless the bot named another type. */
  type: string;
  messageId?: string;
  /** `pending` until the bot has handled the event of a visitor; `failed` after its webhook has refused every attempt. */
  status: 'pending' | 'processed' | 'ignored' | 'failed' | 'scheduled' | 'canceled';
  /** Why the last attempt at the webhook of the bot failed. */
  failureReason: string | null;
}

/** The resources to which states belong. */
export type StateType = 'conversation' | 'user' | 'bot';

/** An object that a bot stores under a name. */
export interface RuntimeState {
  id: string;
  createdAt: string;
  updatedAt: string;
  botId: string;
  conversationId?: string;
  userId?: string;
  name: string;
  type: StateType;
  payload: Record<string, unknown>;
  /** Milliseconds after the last change until the state expires; left out if it does not expire. */
  expiry?: number;
  expiresAt?: string;
}

/** An answer that is being written. */
export interface RuntimeStream {
  id: string;
  conversationId: string;
  createdAt: string;
}

/** The position of a streamed answer. */
export interface StreamPosition {
  /** Characters (UTF-16) written so far. */
  position: number;
  /** The visitor stopped it: further writes have no effect, and `end` returns the stored message. */
  stopped: boolean;
}
