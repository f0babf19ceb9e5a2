// The words between the server and a bot at another address. Types only; no I/O.
import type { BotEvent } from './bot.ts';
import type { Conversation } from './conversation.ts';
import type { Message, Metadata, Payload } from './message.ts';
import type { User } from './user.ts';

/** What is posted to a bot's webhook. In JSON, `event.createdOn` is a text in ISO 8601. Ids are the server's. */
export interface WebhookBody {
  event: BotEvent;
  conversation: Conversation;
  /** Who caused the event. */
  user: User;
  /** The message that caused the event, with its metadata. */
  message?: Message;
}

/** What a webhook may answer with: messages that are sent at once, in order. */
export interface WebhookAnswer {
  messages?: { payload: Payload; metadata?: Metadata }[];
}
