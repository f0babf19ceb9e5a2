// Types of the requests to a bot's webhook, and of its responses. Types only.
import type { BotEvent } from './bot.ts';
import type { Message, Metadata, Payload } from './message.ts';
import type { Conversation } from './types/chat.ts';
import type { User } from './user.ts';

/** The body of a request to a bot's webhook. In JSON, `event.createdOn` is a text in ISO 8601. Ids are the server's. */
export interface WebhookBody {
  event: BotEvent;
  conversation: Conversation;
  /** The user who caused the event. */
  user: User;
  /** The message that caused the event, with its metadata. */
  message?: Message;
}

/** The response of a webhook: messages that are sent at once, in order. */
export interface WebhookAnswer {
  messages?: { payload: Payload; metadata?: Metadata }[];
}
