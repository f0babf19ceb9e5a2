// The words between the server and bot code: the event object and the bot's tools. Types only; no I/O.
import type { Configuration } from './config.ts';
import type { Conversation } from './conversation.ts';
import type { Event } from './event.ts';
import type { Message, Metadata, Payload, PayloadType } from './message.ts';
import type { Visibility } from './signal.ts';
import type { User } from './user.ts';

export type EventDirection = 'incoming' | 'outgoing';

/** State data of an event; its deeper structure is omitted by the interface. */
export type EventState = Record<string, unknown>;

/** The event object that bot code receives. */
export interface BotEvent {
  /** Bot that experienced the event. */
  botId: string;
  conversationId?: string;
  createdOn: Date;
  direction: EventDirection;
  /** Unique; the same id comes again when an event is delivered twice. */
  id: string;
  integration?: string;
  /** Knowledge bases queried. */
  kb?: { included: unknown[]; results?: unknown[] };
  messageId?: string;
  payload: Record<string, unknown>;
  /** Plain-text representation; for a text message it holds the message itself. */
  preview: string;
  state: EventState;
  tags?: {
    conversation: Record<string, string>;
    message: Record<string, string>;
    user: Record<string, string>;
  };
  trigger?: {
    conversationId?: string;
    eventName?: string;
    flowId: string;
    integration?: string;
    nodeId: string;
    userId?: string;
  };
  /**
   * The payload's type for messages, `custom` for custom events, `conversation_started` for a new conversation,
   * `feedback` when the visitor said what they think of a message: payload `{messageId, value, comment?}`, where
   * `value` is `positive`, `negative`, or `none` when they took it back.
   */
  type: PayloadType | 'custom' | 'conversation_started' | 'feedback';
  userId?: string;
}

/** A bot's answer on its way: deltas first, the whole message at the end. */
export interface BotStream {
  id: string;
  /** Sends the next piece of text to everybody who listens. */
  write(delta: string): void;
  /** Ends the stream with the message that stays. Without a payload: Markdown of all that was written. */
  end(payload?: Payload, options?: { metadata?: Metadata }): Promise<Message>;
  /** Ends the stream without a message. */
  abort(): void;
  /**
   * Aborted when the visitor stops the answer, and when the event is over. After a stop `write` does nothing, and
   * what was written stays as a message with `metadata.stopped`; `end` gives that message.
   */
  signal: AbortSignal;
}

/** What a bot can do while it handles one event. Ids are the server's. */
export interface Bot {
  /** Sends a message of the bot. A second delivery of the same event does not send the same reply twice. */
  reply(payload: Payload, options?: { metadata?: Metadata }): Promise<Message>;
  /** Sends a custom event to the page (`customEvent`). */
  sendEvent(payload: Record<string, unknown>): Promise<Event>;
  /** Opens or closes the window on the visitor's page. */
  setVisibility(visibility: Visibility): Promise<void>;
  /** Changes the configuration of the visitor's widget, as `platform.config` does, until the page is loaded again. */
  configure(configuration: Configuration): Promise<void>;
  /** Shows or ends the typing indicator. It also ends with the next reply and with the handler. */
  typing(on: boolean): void;
  stream(): BotStream;
  /** The message that caused the event, with its metadata; undefined for other events. */
  message: Message | undefined;
  user: User;
  conversation: Conversation;
  /** The address of the server for absolute links, without a slash at the end: the setting PUBLIC_URL. */
  publicUrl: string;
  /** Aborted when the conversation is deleted, the time limit is over, or the server stops. */
  signal: AbortSignal;
}

/** The default export of a bot module. */
export type BotHandler = (event: BotEvent, bot: Bot) => Promise<void> | void;
