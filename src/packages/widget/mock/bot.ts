// The bot of the mock server: calls the function of the test for each event of a visitor, one after the other in a
// conversation, or gives the answers of a list.
import type { VisitorLocale } from '../../../protocol/headers.ts';
import { type Message, type Metadata, type Payload, preview } from '../../../protocol/message.ts';
import type { Event } from '../../../protocol/types/chat.ts';
import { checkPayload } from './checks.ts';
import type { SignalHub } from './signals.ts';
import { type MockStore, publicMessage, type StoredConversation, type StoredMessage } from './store.ts';

/** An event, and the ways in which the bot can answer. A text means a payload of the type `text`. */
export interface MockBotCall {
  /** The type of the payload of a message, or `conversation_started`, `custom` or `feedback`. */
  type: string;
  /** The text of the message; '' for other events. */
  text: string;
  payload: Record<string, unknown>;
  userId: string;
  conversationId: string;
  /** The languages and the time zone of the page, as `event.locale` of a bot on the server. */
  locale: VisitorLocale | undefined;
  /** Aborted when the visitor stops a streamed answer, and by `reset()`. */
  signal: AbortSignal;
  reply(payload: Payload | string, options?: { metadata?: Metadata }): Promise<Message>;
  /** Streams an answer piece by piece, as Markdown. Resolves with the message, also after the visitor stopped it. */
  stream(pieces: Iterable<string> | AsyncIterable<string>): Promise<Message | undefined>;
  typing(on: boolean): void;
  /** Sends a custom event to the page. */
  event(payload: Record<string, unknown>): Promise<Event>;
}

/** A function, or the answers to the visitor's messages in order; after the last one there are no more. */
export type MockBot = ((call: MockBotCall) => unknown) | readonly (Payload | string)[];

/** The action of the visitor. */
export interface MockEvent {
  type: string;
  payload: object;
  userId: string;
  locale: VisitorLocale | undefined;
}

export interface BotRunner {
  /** Queues an event for the bot. */
  deliver(conversation: StoredConversation, event: MockEvent): void;
  /** Stores and publishes a message of the bot. */
  say(conversation: StoredConversation, payload: Payload | string, metadata?: Metadata): Message;
  /** Ends the streamed answer, if it is being written. */
  stop(streamId: string): void;
  close(): void;
}

export interface BotRunnerOptions {
  bot: MockBot;
  store: MockStore;
  signals: SignalHub;
  /** Resolves after the latency of the mock. */
  pause(): Promise<void>;
}

export function createBotRunner({ bot, store, signals, pause }: BotRunnerOptions): BotRunner {
  const closed = new AbortController();
  const queues = new Map<string, Promise<void>>();
  const streams = new Map<string, AbortController>();
  let answered = 0;
  const botId = store.botUser.id;

  const say: BotRunner['say'] = (conversation, content, metadata) => {
    const payload = checkPayload(typeof content === 'string' ? { type: 'text', text: content } : content);
    const message: StoredMessage = {
      id: store.id('msg'),
      createdAt: store.time(),
      payload,
      userId: botId,
      conversationId: conversation.id,
      ...(metadata ? { metadata } : {}),
      order: store.next(),
      isBot: true,
    };
    conversation.messages.push(message);
    signals.publish(conversation, {
      type: 'message_created',
      data: { ...publicMessage(message), isBot: true },
    });
    return publicMessage(message);
  };

  async function stream(conversation: StoredConversation, pieces: Iterable<string> | AsyncIterable<string>) {
    const ids = { streamId: store.id('stream'), conversationId: conversation.id };
    const stopped = new AbortController();
    streams.set(ids.streamId, stopped);
    const createdAt = store.time();
    let markdown = '';
    let sequence = 0;
    for await (const delta of pieces) {
      await pause();
      if (stopped.signal.aborted || closed.signal.aborted) break;
      markdown += delta;
      const data = { ...ids, userId: botId, createdAt, sequence: sequence++, delta };
      signals.hint(conversation.id, { type: 'message_stream_delta', data });
    }
    streams.delete(ids.streamId);
    if (closed.signal.aborted) return undefined;
    if (markdown === '') {
      signals.hint(conversation.id, { type: 'message_stream_abort', data: ids });
      return undefined;
    }
    const isStopped = stopped.signal.aborted ? { stopped: true } : {};
    return say(conversation, { type: 'markdown', markdown }, { streamId: ids.streamId, ...isStopped });
  }

  async function handle(conversation: StoredConversation, { type, payload, userId, locale }: MockEvent) {
    await pause();
    if (closed.signal.aborted) return;
    const isMessage = !['conversation_started', 'custom', 'feedback'].includes(type);
    if (typeof bot !== 'function') {
      const answer = isMessage ? bot[answered] : undefined;
      if (isMessage) answered += 1;
      if (answer !== undefined) say(conversation, answer);
      return;
    }
    const ids = { conversationId: conversation.id, userId: botId };
    let isTyping = false;
    const typing = (on: boolean) => {
      isTyping = on;
      signals.hint(
        conversation.id,
        on
          ? { type: 'typing_started', data: { ...ids, timeout: 60_000 } }
          : { type: 'typing_stopped', data: ids },
      );
    };
    await bot({
      type,
      text: isMessage ? preview(payload) : '',
      payload: payload as Record<string, unknown>,
      userId,
      conversationId: conversation.id,
      locale,
      signal: closed.signal,
      reply: async (content, { metadata } = {}) => {
        const message = say(conversation, content, metadata);
        if (isTyping) typing(false);
        return message;
      },
      stream: (pieces) => stream(conversation, pieces),
      typing: typing,
      async event(payload) {
        const event = { id: store.id('evt'), createdAt: store.time(), payload, ...ids };
        signals.publish(conversation, { type: 'event_created', data: { ...event, isBot: true } });
        return event;
      },
    });
    if (isTyping) typing(false);
  }

  return {
    deliver(conversation, event) {
      const before = queues.get(conversation.id) ?? Promise.resolve();
      const next = before.then(() =>
        handle(conversation, event).catch((error: unknown) => {
          if (closed.signal.aborted) return;
          console.error('[mock] The bot failed:', error);
          say(conversation, 'Sorry, no answer came. Please try again.', { error: 'bot_failed' });
        }),
      );
      queues.set(conversation.id, next);
    },
    say,
    stop: (streamId) => streams.get(streamId)?.abort(),
    close() {
      closed.abort(new Error('The mock server was reset.'));
    },
  };
}
