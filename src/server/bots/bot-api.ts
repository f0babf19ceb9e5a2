// What bot code holds in its hands while it handles one event. When the event is over, the tools refuse to work.
import * as v from 'valibot';
import type { Bot, BotStream } from '../../protocol/bot.ts';
import { type Configuration, readLayer, secretFields } from '../../protocol/config.ts';
import type { Event } from '../../protocol/event.ts';
import type { Message, Metadata, Payload } from '../../protocol/message.ts';
import type { Visibility } from '../../protocol/signal.ts';
import { assertSize } from '../api/payload-size.ts';
import { schemas } from '../api/schemas.ts';
import { toConversation, toEvent, toMessage, toUser } from '../api/serializers.ts';
import { explain } from '../api/validation-messages.ts';
import type { Author, Transcript } from '../chat/index.ts';
import { canonicalPayload } from '../chat/index.ts';
import type { Live, LiveStream } from '../realtime/presence.ts';
import { findEventByOrigin } from '../storage/chat/events.ts';
import { findMessageByOrigin } from '../storage/chat/messages.ts';
import type { Database, WriteTx } from '../storage/database.ts';
import { publicId } from '../storage/ids.ts';
import type { Scene } from './event-context.ts';
import { type OwnedStream, openBotStream, stoppedStream } from './stream.ts';

export interface BotToolsOptions {
  db: Database;
  live: Live;
  transcript: Transcript;
  scene: Scene;
  author: Author;
  /** Milliseconds after which clients end a typing indicator by themselves. */
  timeLimit: number;
  signal: AbortSignal;
}

export interface BotTools {
  bot: Bot;
  /** The handler came back: waits for what it began to send, then ends its indicators. Rejects if sending failed. */
  finish(): Promise<void>;
  /** The handler failed: ends its indicators at once. */
  stop(): void;
}

export function createBotTools(options: BotToolsOptions): BotTools {
  const { db, live, transcript, scene, author, timeLimit, signal } = options;
  const { event, message, user, conversation, stopped } = scene;
  const place = {
    conversation: { id: conversation.id, publicId: publicId(conversation) },
    user: { id: author.id, publicId: author.id },
  };
  const conversationId = place.conversation.publicId;
  const streams: OwnedStream[] = [];
  const sending = new Set<Promise<unknown>>();
  let ordinal = 0;
  let over = false;
  /** The indicator was shown by these tools, and not by the bot from elsewhere. */
  let isTyping = false;

  function typing(on: boolean): void {
    isTyping = on;
    live.typing(place, on, timeLimit);
  }

  /** The name of the next thing that must not be done twice: event and ordinal. */
  function nextOrigin(): string {
    ordinal += 1;
    return `${event.id}:${ordinal - 1}`;
  }

  /** Does one thing that must not be done twice. */
  function send<T>(work: (tx: WriteTx, origin: string) => Promise<T>, origin = nextOrigin()): Promise<T> {
    const sent = usable().then(() => db.write((tx) => work(tx, origin)));
    // A failure that comes while the handler runs is the handler's to see; `finish` looks after those it forgot.
    sending.add(sent);
    const settled = () => sending.delete(sent);
    sent.then(settled, settled);
    return sent;
  }

  async function usable(): Promise<void> {
    if (over || signal.aborted) throw new Error(`The event ${event.id} is over; its bot can send no more.`);
  }

  function say(
    payload: unknown,
    metadata: Metadata | undefined,
    origin?: string,
    stream?: LiveStream,
  ): Promise<Message> {
    return send(async (tx, origin) => {
      const content = { payload: checked(payload), ...(metadata ? { metadata } : {}) };
      // What a visitor stopped is at most as long as a stream may be: no word of it is lost.
      if (!metadata?.stopped || !stream) assertSize('payload', content.payload);
      assertSize('metadata', metadata);
      let row = await findMessageByOrigin(tx, origin);
      const known = row !== undefined;
      // Registered before the message's own effect: `complete` goes out first, as clients expect.
      tx.afterCommit(() => {
        if (stream && row) stream.complete(toMessage(row, place.conversation.publicId));
      });
      row ??= await transcript.addMessage(tx, conversation, { ...author, origin }, content);
      if (!known) tx.afterCommit(() => typing(false));
      return toMessage(row, conversation.id);
    }, origin);
  }

  function openStream(): BotStream {
    if (over || signal.aborted) throw new Error(`The event ${event.id} is over; its bot can send no more.`);
    // Counted apart from replies: whether a visitor stops it must not change the names of what follows, and the
    // stop and the end share one name, so that only one of them is stored, whatever is delivered again.
    const origin = `${event.id}:stream:${streams.length}`;
    const earlier = stopped.get(origin);
    const owned = earlier
      ? { stream: stoppedStream(earlier), abort() {} }
      : openBotStream({
          live,
          place,
          signal,
          store: (payload, metadata, stream) => say(payload, metadata, origin, stream),
        });
    streams.push(owned);
    return owned.stream;
  }

  /** Tells the widget something, once. */
  function tell(signal: Parameters<Transcript['tellWidget']>[3]): Promise<void> {
    return send((tx, origin) => transcript.tellWidget(tx, conversation, origin, signal));
  }

  function stop(): void {
    over = true;
    for (const stream of streams) stream.abort();
    if (isTyping) typing(false);
  }

  return {
    bot: {
      reply: (payload: Payload, { metadata } = {}) => say(payload, metadata),
      sendEvent: (payload) =>
        send(async (tx, origin): Promise<Event> => {
          const given = v.parse(schemas.data, payload);
          assertSize('payload', given);
          const row =
            (await findEventByOrigin(tx, origin)) ??
            (await transcript.addEvent(tx, conversation, { ...author, origin }, given));
          return toEvent(row, conversation.id);
        }),
      async setVisibility(visibility) {
        if (!visibilities.includes(visibility)) {
          throw new TypeError(`The visibility must be one of ${visibilities.join(', ')}.`);
        }
        await tell({ type: 'webchat_visibility', data: { conversationId, visibility } });
      },
      async configure(configuration) {
        const config = checkedConfiguration(configuration);
        await tell({ type: 'webchat_config', data: { conversationId, config } });
      },
      typing(on) {
        if (!over && !signal.aborted) typing(on);
      },
      stream: openStream,
      message,
      user: toUser(user, user.id),
      conversation: toConversation(conversation, conversation.id),
      signal,
    },
    async finish() {
      await Promise.all(sending);
      stop();
    },
    stop,
  };
}

/** The payload in its stored spelling. Throws a line that tells a bot's author what is wrong with it. */
function checked(payload: unknown): Payload {
  const result = v.safeParse(schemas.payload, canonicalPayload(payload));
  if (result.success) return result.output;
  const [issue] = result.issues;
  throw new TypeError(`The payload is not valid: ${v.getDotPath(issue) ?? ''}: ${explain(issue)}`);
}

export const visibilities: readonly Visibility[] = ['show', 'hide', 'toggle'];

/** What may be sent to a visitor's page: never a secret. Throws a TypeError that names the wrong field. */
export function checkedConfiguration(given: unknown): Configuration {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new TypeError('The configuration must be an object.');
  }
  const configuration = readLayer(given, ({ message }) => {
    throw new TypeError(message);
  });
  for (const name of secretFields) delete configuration[name];
  assertSize('configuration', configuration);
  return configuration;
}
