// The interface of a bot in a test (test-bot.ts). Types only.
import type { Person } from '../../protocol/handling.ts';
import type { VisitorLocale } from '../../protocol/headers.ts';
import type { Message, Metadata, Payload } from '../../protocol/message.ts';
import type { Signal } from '../../protocol/signal.ts';

export interface TestBotOptions {
  /** The visitor. */
  user?: { name?: string; pictureUrl?: string; profile?: string };
  /** `event.locale`. */
  locale?: VisitorLocale;
  /** Milliseconds that the bot may take for one event; the default is 60,000. */
  timeLimit?: number;
}

/**
 * One visitor in one conversation with the bot. Each action resolves when the bot has handled its event, with the messages
 * that the bot sent meanwhile; it rejects with the error of the bot if the bot has failed, and with an error that names the
 * operation if the server refuses what the visitor does.
 */
export interface TestBot {
  /** All messages of the conversation as they are stored now, oldest first. */
  messages(): Promise<Message[]>;
  /** The visitor sends a message: a text, or any payload. */
  send(payload: string | Payload, options?: { metadata?: Metadata }): Promise<Message[]>;
  /** The visitor presses the button with this label: of the newest message of the bot that has one, or a suggestion. */
  click(label: string): Promise<Message[]>;
  /** A person answers: the bot has asked for one, or the visitor has (`click`). What they say appears under their name. */
  takeOver(person?: Person): Promise<Message[]>;
  /** The person who has taken over sends a text. */
  say(text: string): Promise<void>;
  /** The person gives the conversation back; the bot has then handled `handoff_ended`. */
  returnToBot(): Promise<Message[]>;
  /** The page sends a custom event. */
  sendEvent(payload: Record<string, unknown>): Promise<Message[]>;
  /** The visitor rates a message of the bot. */
  rate(messageId: string, value: 'positive' | 'negative', comment?: string): Promise<Message[]>;
  /** The visitor stops the answer that is being written. Resolves when it has ended. */
  stop(): Promise<void>;
  /** The signals that the page has received so far: messages, pieces of streams, typing indicators, custom events, commands. */
  readonly signals: readonly Signal[];
  /** Resolves with the first signal of this type, received or still to come. Rejects when the bot is closed before. */
  until<T extends Signal['type']>(type: T): Promise<Extract<Signal, { type: T }>>;
  /** Stops the bot and removes its data. */
  close(): Promise<void>;
}
