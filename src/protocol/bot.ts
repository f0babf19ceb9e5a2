// Types of bot code: the event object, and the object with which a handler answers. Types only.
import type { Handling, Handoff, HandoffAnswer, Person } from './handling.ts';
import type { VisitorLocale } from './headers.ts';
import type { PageClient, SettledInterrupt } from './interrupts.ts';
import type { Message, Metadata, Payload, PayloadType } from './message.ts';
import type { Configuration } from './page-api/config.ts';
import type { NewPart, PartChange, SourcePart } from './parts.ts';
import type { Visibility } from './signal.ts';
import type { Conversation, Event } from './types/chat.ts';
import type { FoundPassage } from './types/files.ts';
import type { Rating } from './types/handling.ts';
import type { NewInterrupt } from './types/interrupts.ts';
import type { User } from './user.ts';

export type EventDirection = 'incoming' | 'outgoing';

/** Owner of a state. */
export type StateScope = 'conversation' | 'user' | 'bot';

/** State data of an event: the states of the conversation and of the user, by name. */
export type EventState = Record<string, unknown> & {
  conversation?: Record<string, unknown>;
  user?: Record<string, unknown>;
};

/** Fields of all events. */
interface EventFields {
  /** The bot that received the event. */
  botId: string;
  conversationId?: string;
  /**
   * Offer of the page at the time of the event: tools that it runs (`answer.interrupt` with the reason `client_tool`), its
   * context, and the names of the blocks that it draws. These are texts of the page: data, not instructions. It is gone when the
   * event is handled.
   */
  client?: PageClient;
  createdOn: Date;
  direction: EventDirection;
  /** Unique; an event that is delivered twice has the same id. */
  id: string;
  integration?: string;
  /**
   * The knowledge bases of the bot, with a message of a user; left out if there are none. `results`: the passages of their
   * files that match the text, best first; left out unless the deployment of the bot asks for them.
   */
  kb?: { included: { id: string; name: string }[]; results?: FoundPassage[] };
  /**
   * The languages and the time zone of the user when this happened, as the page has sent them: hints, which a client can
   * choose. Left out if they are unknown.
   */
  locale?: VisitorLocale;
  messageId?: string;
  payload: Record<string, unknown>;
  /** Plain-text representation; for a text message, its text. */
  preview: string;
  state: EventState;
  /** The earlier message of the user whose place this one takes: the answer to it was not good enough, or it was edited. */
  supersedes?: string;
  tags?: {
    conversation: Record<string, string>;
    message: Record<string, string>;
    user: Record<string, string>;
  };
  /** For events that are not messages: `eventName` is `chat:` and the type. There are no workflows: `flowId` is the bot. */
  trigger?: {
    conversationId?: string;
    eventName?: string;
    flowId: string;
    integration?: string;
    nodeId: string;
    userId?: string;
  };
  userId?: string;
}

/** An event about what a visitor did. */
interface VisitorEvent extends EventFields {
  /**
   * The payload's type for messages, `custom` for custom events, `conversation_started` for a new conversation: payload
   * `{preChatForm?: {topic?, consent?: {text, at}, fields?}}`, what the visitor has answered in the form before it;
   * `feedback` after a visitor rated a message: payload `{messageId, value, comment?}`, where `value` is `positive`,
   * `negative`, or `none` after the visitor removed the feedback; `user_merged` after an anonymous visitor has become a
   * user whom the application has identified: payload `{previousUserId}`, once, in the visitor's newest conversation.
   */
  type: PayloadType | 'custom' | 'conversation_started' | 'feedback' | 'user_merged';
}

/**
 * All interrupts of a message of the bot are settled: answered, superseded by another message of the visitor, or expired. It is
 * delivered at least once, with the same `id`: the key for what must not happen twice.
 */
export interface ResumeEvent extends EventFields {
  type: 'resume';
  /** The message that asked. */
  messageId: string;
  payload: Record<string, unknown> & { interrupts: SettledInterrupt[] };
}

/** Events of a handoff; see docs/guides/handoff.md. While a person answers, replies of the bot are refused. */
export interface HandoffEvent extends EventFields {
  /**
   * `handoff_requested`: the visitor waits for a person. `conversation_assigned`: a person answers (`person`). `handoff_ended`:
   * the bot answers again; `messageIds` are the messages since the request, the newest 100. `conversation_closed`: the person or
   * the visitor has ended it (`outcome`). `conversation_rated`: the visitor has rated it (`rating`). All are delivered at least
   * once, with the same `id`.
   */
  type:
    | 'handoff_requested'
    | 'conversation_assigned'
    | 'handoff_ended'
    | 'conversation_closed'
    | 'conversation_rated';
  payload: Record<string, unknown> & {
    handoff: Handoff;
    person?: Person;
    messageIds?: string[];
    rating?: Rating;
  };
}

/** A message of the visitor while a person at another desk answers, for the program that connects this desk. */
export interface PersonMessageEvent extends EventFields {
  type: 'message_for_person';
}

/** The event object that bot code receives. */
export type BotEvent = VisitorEvent | ResumeEvent | HandoffEvent | PersonMessageEvent;

/** A tool that the bot uses while it answers. */
export interface AnswerTool {
  /** The id of the part. */
  id: string;
  /** `output`: any JSON value. */
  done(output?: unknown): void;
  /** `errorText`: what the visitor may read. */
  failed(errorText?: string): void;
}

/**
 * Content that is shown with the text of an answer. Visitors see it while the answer is written, and it is stored with the message.
 * Texts and values that are too long are cut. All functions throw a TypeError for a part that is not valid.
 */
export interface AnswerParts {
  /** Shows what the bot is doing, until the next status or the end; '' removes it. It is not stored. */
  status(text: string): void;
  /** Appends to the reasoning of the bot, which the next text or part ends. Visitors can read it. */
  reasoning(text: string): void;
  /** Shows a step. `name`: of the tool; `title`: what the visitor reads; `input`: any JSON value, which the visitor can read. */
  tool(tool: { name: string; title?: string; input?: unknown }): AnswerTool;
  /** Adds a source and returns its number: `[1]` in the text refers to it. A source that was added before keeps its number. */
  source(source: Pick<SourcePart, 'title' | 'url' | 'snippet' | 'page' | 'fileId'>): number;
  /** Offers texts that the visitor can send with one click, below the answer while it is the newest message. */
  suggest(items: readonly (string | { label: string; value?: string })[]): void;
  /** Adds content that the page draws. `fallback`: the text where it cannot. Returns the id of the part. */
  block(name: string, data: unknown, fallback: string): string;
}

/** A question that ends an answer and waits for the visitor. `tool`: what the visitor is asked to approve. */
export interface AnswerInterrupt extends NewInterrupt {
  tool?: AnswerTool;
}

/** A streamed answer: deltas and parts first, the whole message at the end. */
export interface BotStream extends AnswerParts {
  id: string;
  /** Sends the next piece of text to all listeners. After a step, reasoning or a block it begins a paragraph. */
  write(delta: string): void;
  /**
   * Ends the stream with the final message. Without a payload: Markdown of the whole written text. `interrupts`: questions that
   * wait for the visitor. The bot receives one event for all of them, when the last one is settled.
   */
  end(
    payload?: Payload,
    options?: { metadata?: Metadata; interrupts?: readonly AnswerInterrupt[] },
  ): Promise<Message>;
  /** Ends the stream with a question that waits for the visitor: the event `resume` has the answer. */
  interrupt(interrupt: AnswerInterrupt): Promise<Message>;
  /** Ends the stream without a message. */
  abort(): void;
  /**
   * Aborted when the visitor stops the answer, and when the handling of the event ends. After a stop `write` has no
   * effect, and the written text is stored as a message with `metadata.stopped`; `end` returns that message.
   */
  signal: AbortSignal;
}

/** Actions of a bot while it handles one event. All ids are server ids. */
export interface Bot {
  /** Sends a message of the bot. If the same event is delivered twice, the same reply is sent only once. */
  reply(payload: Payload, options?: { metadata?: Metadata; parts?: readonly NewPart[] }): Promise<Message>;
  /** Sends a custom event to the page (`customEvent`). */
  sendEvent(payload: Record<string, unknown>): Promise<Event>;
  /** Opens or closes the window on the visitor's page. */
  setVisibility(visibility: Visibility): Promise<void>;
  /** Changes the configuration of the visitor's widget, as `platform.config` does, until the page is reloaded. */
  configure(configuration: Configuration): Promise<void>;
  /** Returns the state of this name; undefined if there is none or it has expired. `event.state` has all of an event. */
  getState(scope: StateScope, name: string): Promise<Record<string, unknown> | undefined>;
  /** Stores a state; null removes it. `expiry`: milliseconds without a change after which it expires. */
  setState(
    scope: StateScope,
    name: string,
    payload: Record<string, unknown> | null,
    options?: { expiry?: number | null },
  ): Promise<void>;
  /** Overwrites the given fields of a state, and returns all of its fields. */
  patchState(
    scope: StateScope,
    name: string,
    fields: Record<string, unknown>,
  ): Promise<Record<string, unknown>>;
  /** Shows or hides the typing indicator. It also ends with the next reply and when the handler returns. */
  typing(on: boolean): void;
  stream(): BotStream;
  /**
   * Changes a part of a message that the bot has sent, such as the state of a tool: the given fields replace the old ones, null
   * removes one. Returns the message.
   */
  updatePart(messageId: string, partId: string, fields: Omit<PartChange, 'id'>): Promise<Message>;
  /**
   * Asks for a person. From then on the bot can send nothing until the event `handoff_ended`, so write what the visitor should
   * read before. `reason` and `note` are for the team; the visitor sees neither. `team`: the id or the name of a team. Outside of
   * the opening hours it is not accepted: the bot goes on, and `opensAt` says when somebody is back.
   */
  handoff(request?: { reason?: string; note?: string; team?: string }): Promise<HandoffAnswer>;
  /** Returns who answers the conversation now. */
  handling(): Promise<Handling>;
  /** The message that caused the event, with its metadata; undefined for other events. */
  message: Message | undefined;
  user: User;
  conversation: Conversation;
  /** The address of the server for absolute links, without a slash at the end: the setting PUBLIC_URL. */
  publicUrl: string;
  /** Aborted when a person takes over, the conversation is deleted, the time limit is exceeded, or the server stops. */
  signal: AbortSignal;
}

/** The default export of a bot module. */
export type BotHandler = (event: BotEvent, bot: Bot) => Promise<void> | void;
