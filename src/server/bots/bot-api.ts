// The context object that a bot handler receives with one event. It rejects every call once the event has ended.
import * as v from 'valibot';
import type { Bot, BotStream } from '../../protocol/bot.ts';
import type { Event } from '../../protocol/event.ts';
import { limits } from '../../protocol/limits.ts';
import type { Message, Metadata, Payload } from '../../protocol/message.ts';
import { type Configuration, secretFields } from '../../protocol/page-api/config.ts';
import { fields, readLayer } from '../../protocol/page-api/config-layers.ts';
import { schemas } from '../../protocol/schemas/chat.ts';
import { runtimeSchemas } from '../../protocol/schemas/runtime.ts';
import { visibilities } from '../../protocol/signal.ts';
import { assertMessageSize, assertSize } from '../api/payload-size.ts';
import {
  serializeConversation,
  serializeEvent,
  serializeMessage,
  serializeUser,
} from '../api/serializers.ts';
import { explain } from '../api/validation-messages.ts';
import type { Transcript } from '../chat/index.ts';
import { canonicalPayload } from '../chat/index.ts';
import type { MessageStream, Presence } from '../realtime/presence.ts';
import { findEventByOrigin } from '../storage/chat/events.ts';
import { findMessageByOrigin } from '../storage/chat/messages.ts';
import type { Database, WriteTx } from '../storage/database.ts';
import { publicId } from '../storage/ids.ts';
import { CallResult } from './call-result.ts';
import { authorOf, type EventContext } from './event-context.ts';
import { createStateApi } from './state-api.ts';
import { type BotStreamHandle, openBotStream, stoppedStream } from './stream.ts';

export interface BotApiOptions {
  db: Database;
  presence: Presence;
  transcript: Transcript;
  context: EventContext;
  /** The address of this server for absolute links, without a slash at the end. */
  publicUrl: string;
  /** Milliseconds after which clients hide a typing indicator themselves. */
  timeLimit: number;
  now(): number;
  signal: AbortSignal;
}

export interface BotApi {
  bot: Bot;
  /** Called when the handler returned: waits for pending writes, then ends indicators. Rejects if a write failed. */
  finish(): Promise<void>;
  /** Called when the handler failed: ends its indicators at once. */
  stop(): void;
}

export function createBotApi(options: BotApiOptions): BotApi {
  const { db, presence, transcript, context, publicUrl, timeLimit, signal } = options;
  const { event, message, user, conversation, stoppedMessages } = context;
  const author = authorOf(context);
  const participant = {
    conversation: { id: conversation.id, publicId: publicId(conversation) },
    user: { id: author.id, publicId: author.id },
  };
  const conversationId = participant.conversation.publicId;
  const streams: BotStreamHandle[] = [];
  const results: CallResult<unknown>[] = [];
  let ordinal = 0;
  let isClosed = false;
  /** True when this handler showed the indicator; the bot may also show one through the Runtime API. */
  let isTyping = false;

  function typing(on: boolean): void {
    isTyping = on;
    presence.setTyping(participant, on, timeLimit);
  }

  /** The deduplication key of the next write: event id and ordinal. */
  function nextOrigin(): string {
    ordinal += 1;
    return `${event.id}:${ordinal - 1}`;
  }

  /**
   * Runs a write that must happen once, also when the event is delivered again. `check` runs at once, so that the stack
   * of its error has the line of the bot's code.
   */
  function writeOnce<C, T>(
    check: () => C,
    work: (tx: WriteTx, checked: C, origin: string) => Promise<T>,
    origin = nextOrigin(),
  ): Promise<T> {
    let written: Promise<T>;
    try {
      assertOpen();
      const checked = check();
      written = db.write((tx) => work(tx, checked, origin));
    } catch (error) {
      written = Promise.reject(error);
    }
    const result = new CallResult<T>((resolve) => resolve(written));
    results.push(result);
    return result;
  }

  function assertOpen(): void {
    if (isClosed || signal.aborted)
      throw callError(`The event ${event.id} is over; its bot can send no more.`);
  }

  function sendMessage(
    payload: unknown,
    metadata: Metadata | undefined,
    origin?: string,
    stream?: MessageStream,
  ): Promise<Message> {
    const check = () => {
      const content = { payload: parsePayload(payload), ...(metadata ? { metadata } : {}) };
      // A stopped stream is at most as long as streams are allowed to be, so all of its text is kept.
      if (!metadata?.stopped || !stream) assertMessageSize(content);
      else assertSize('metadata', metadata);
      return content;
    };
    const write = async (tx: WriteTx, content: ReturnType<typeof check>, origin: string) => {
      let row = await findMessageByOrigin(tx, origin);
      const known = row !== undefined;
      // Registered before the effect of addMessage: clients expect `complete` before `message_created`.
      tx.afterCommit(() => {
        if (stream && row) stream.complete(serializeMessage(row, participant.conversation.publicId));
      });
      row ??= await transcript.addMessage(tx, conversation, { ...author, origin }, content);
      if (!known) tx.afterCommit(() => typing(false));
      return serializeMessage(row, conversation.id);
    };
    return writeOnce(check, write, origin);
  }

  function openStream(): BotStream {
    assertOpen();
    // Numbered separately from replies: a stop by the visitor must not change the origins of later writes. The stop
    // and the end share one origin, so that a repeated delivery stores only one of them.
    const origin = `${event.id}:stream:${streams.length}`;
    const earlier = stoppedMessages.get(origin);
    const owned = earlier
      ? { stream: stoppedStream(earlier), abort() {} }
      : openBotStream({
          presence,
          participant,
          signal,
          store: (payload, metadata, stream) => sendMessage(payload, metadata, origin, stream),
        });
    streams.push(owned);
    return owned.stream;
  }

  /** Sends a signal to the widget once. */
  function sendWidgetSignal(signal: Parameters<Transcript['sendWidgetSignal']>[3]): Promise<void> {
    return writeOnce(
      () => {},
      (tx, _, origin) => transcript.sendWidgetSignal(tx, conversation, origin, signal),
    );
  }

  function stop(): void {
    isClosed = true;
    for (const stream of streams) stream.abort();
    if (isTyping) typing(false);
  }

  return {
    bot: {
      reply: (payload: Payload, { metadata } = {}) => sendMessage(payload, metadata),
      sendEvent: (payload) =>
        writeOnce(
          () => {
            const data = parse(schemas.data, payload);
            assertSize('payload', data);
            return data;
          },
          async (tx, data, origin): Promise<Event> => {
            const row =
              (await findEventByOrigin(tx, origin)) ??
              (await transcript.addEvent(tx, conversation, { ...author, origin }, data));
            return serializeEvent(row, conversation.id);
          },
        ),
      async setVisibility(visibility) {
        if (!visibilities.includes(visibility)) {
          throw callError(`The visibility must be one of ${visibilities.join(', ')}.`);
        }
        await sendWidgetSignal({ type: 'webchat_visibility', data: { conversationId, visibility } });
      },
      async configure(configuration) {
        const config = validateWidgetConfiguration(configuration);
        await sendWidgetSignal({ type: 'webchat_config', data: { conversationId, config } });
      },
      ...createStateApi({
        ...options,
        assertOpen,
        callError,
        parseObject: (value) => parse(runtimeSchemas.storedObject, value),
        write: (check, work) => writeOnce(check, work, 'state'),
      }),
      typing(on) {
        if (!isClosed && !signal.aborted) typing(on);
      },
      stream: openStream,
      message,
      user: serializeUser(user, user.id),
      conversation: serializeConversation(conversation, conversation.id),
      publicUrl,
      signal,
    },
    async finish() {
      await Promise.all(results.map((result) => result.ignored()));
      stop();
    },
    stop,
  };
}

/** The payload in its canonical form. Throws a TypeError whose message names the first wrong field. */
const parsePayload = (payload: unknown): Payload => parse(schemas.payload, canonicalPayload(payload));

function parse<S extends v.GenericSchema>(schema: S, payload: unknown): v.InferOutput<S> {
  const result = v.safeParse(schema, payload);
  if (result.success) return result.output;
  const [issue] = result.issues;
  const path = v.getDotPath(issue);
  // The names in an object of any data may be texts of a visitor.
  const isKnown = schema !== (schemas.data as unknown);
  throw callError(`The payload is not valid: ${path === null ? '' : `${path}: `}${explain(issue)}`, isKnown);
}

/** The error of a wrong call. The log of the bot has its message (`logMessage`) unless it may contain a value. */
function callError(message: string, hasNoValue = true): TypeError {
  const error = Object.assign(new TypeError(message), hasNoValue ? { logMessage: message } : {});
  Error.captureStackTrace(error, callError);
  return error;
}

/** Validates a configuration for the page of a visitor, without its secrets. Throws a TypeError that names the field. */
export function validateWidgetConfiguration(given: unknown): Configuration {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw callError('The configuration must be an object.');
  }
  const configuration = readLayer(given, ({ field, message }) => {
    throw callError(message, Object.hasOwn(fields, field));
  });
  for (const name of secretFields) delete configuration[name];
  assertSize('configuration', configuration, limits.pageConfigurationBytes);
  return configuration;
}
