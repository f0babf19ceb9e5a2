// The bot object, which a handler receives with one event. It rejects every call once the event has ended.
import * as v from 'valibot';
import type { Bot } from '../../protocol/bot.ts';
import type { Message } from '../../protocol/message.ts';
import { schemas } from '../../protocol/schemas/chat.ts';
import { handlingSchemas } from '../../protocol/schemas/handling.ts';
import { runtimeSchemas } from '../../protocol/schemas/runtime.ts';
import { type Signal, visibilities } from '../../protocol/signal.ts';
import type { Event } from '../../protocol/types/chat.ts';
import { ApiError } from '../api/errors.ts';
import { serializeEvent, serializeMessage } from '../api/serializers.ts';
import { assertSize } from '../api/validation.ts';
import {
  type AskedInterrupt,
  readHandlingById,
  serializeConversation,
  serializeUser,
  type Transcript,
  updatePart,
} from '../chat/index.ts';
import type { AnswerStream } from '../realtime/answer-streams.ts';
import type { Presence } from '../realtime/presence.ts';
import type { ConversationRow } from '../storage/chat/conversations.ts';
import { findEventByOrigin } from '../storage/chat/events.ts';
import { findMessage, findMessageByOrigin } from '../storage/chat/messages.ts';
import type { Database, WriteTx } from '../storage/database.ts';
import { publicId } from '../storage/ids.ts';
import { type BotStreamHandle, openBotStream, stoppedStream, streamOrigin } from './answers/stream.ts';
import type { Fence } from './attempts/claims.ts';
import { type AddReply, createWrites, type Writes } from './attempts/writes.ts';
import {
  callError,
  parse,
  parseChange,
  parseContent,
  type SentContent,
  validateWidgetConfiguration,
} from './call-checks.ts';
import { authorOf, type EventContext } from './event-context.ts';
import { createStateApi } from './states.ts';

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
  fence: Fence;
  addReply: AddReply;
  /** Called when a write was refused because the event is not handled here any more. */
  onLost(): void;
  /** Called after the commit in which the handler has asked for a person. */
  onHandoff(): void;
}

export interface BotApi {
  bot: Bot;
  /** Opens a stream, as `bot.stream` does. `id`: of the stream, where the caller has to know it before. */
  openStream(id?: string): BotStreamHandle;
  /** The ids of the streams that the visitor stopped in an earlier delivery, by origin. */
  stoppedStreams: Record<string, string>;
  /** Whether something was refused because a person answers. */
  wasRefused(): boolean;
  /** Called when the handler returned: waits for pending writes, then ends indicators. Rejects if a write failed. */
  finish(): Promise<void>;
  /** Called when the handler failed: ends its indicators at once. */
  stop(): void;
}

export function createBotApi(options: BotApiOptions): BotApi {
  const { db, presence, transcript, context, timeLimit, now, signal, fence, addReply, onLost } = options;
  const { event, message, user, conversation, stoppedMessages } = context;
  const author = authorOf(context);
  const participant = {
    conversation: { id: conversation.id, publicId: publicId(conversation) },
    user: { id: author.id, publicId: author.id },
  };
  const streams: BotStreamHandle[] = [];
  let isClosed = false;
  /** True when this handler showed the indicator; the bot may also show one through the Runtime API. */
  let isTyping = false;

  const writes = createWrites({ db, fence, eventId: event.id, assertOpen, onLost });
  const { writeOnce, settled } = writes;

  function typing(on: boolean): void {
    isTyping = on;
    presence.setTyping(participant, on, timeLimit);
  }

  function assertOpen(): void {
    if (isClosed || signal.aborted)
      throw callError(`The event ${event.id} is over; its bot can send no more.`);
  }

  function sendMessage(
    sent: SentContent,
    ownOrigin?: string,
    stream?: AnswerStream,
    isEnd = false,
  ): Promise<Message> {
    // Two writes of a stream can have the same origin.
    const isNew = fence.isFirstAttempt && ownOrigin === undefined;
    const check = () => parseContent(sent, stream !== undefined);
    const write = async (tx: WriteTx, content: ReturnType<typeof check>, origin: string) => {
      let row = isNew ? undefined : await findMessageByOrigin(tx, origin);
      const isStored = row !== undefined;
      // Registered before the effect of addMessage: clients expect `complete` before `message_created`.
      tx.afterCommit(() => {
        if (stream && row) stream.complete(serializeMessage(row, participant.conversation.publicId));
      });
      row ??= await transcript.addMessage(tx, conversation, { ...author, origin }, { ...content, isEnd });
      if (!isStored) await fence.check(tx);
      if (!isStored) tx.afterCommit(() => typing(false));
      return serializeMessage(row, conversation.id);
    };
    const together = async (content: ReturnType<typeof check>, origin: string) => {
      if (!fence.event) return undefined;
      const row = await addReply({
        event: fence.event,
        author,
        origin,
        content,
        onStored: (stored) => stream?.complete(serializeMessage(stored, participant.conversation.publicId)),
        onPublished: () => typing(false),
      });
      return row && serializeMessage(row, conversation.id);
    };
    const isAlone = sent.interrupts !== undefined;
    return writeOnce(check, write, {
      origin: ownOrigin,
      together: isAlone ? undefined : fence.event && together,
    });
  }

  /** The user of the event can answer. */
  function askedOf(asked: readonly AskedInterrupt[]): Pick<SentContent, 'interrupts'> {
    if (asked.length === 0) return {};
    if (event.direction === 'outgoing')
      throw callError('The event is about what the bot sent: there is nobody to ask.');
    return { interrupts: { userId: user.id, asked } };
  }

  function openStream(id?: string): BotStreamHandle {
    assertOpen();
    const origin = streamOrigin(event.id, streams.length);
    const earlier = stoppedMessages.get(origin);
    const owned = earlier
      ? stoppedStream(earlier)
      : openBotStream({
          presence,
          participant,
          id,
          signal,
          // Without an offer of the page there is nothing to call.
          client: event.client ?? {},
          now,
          store: ({ asked, isEnd, ...content }, stream) =>
            sendMessage({ ...content, ...askedOf(asked) }, origin, stream, isEnd),
        });
    streams.push(owned);
    return owned;
  }

  /** Sends a signal to the widget once. */
  function sendWidgetSignal(widgetSignal: Parameters<Transcript['sendWidgetSignal']>[3]): Promise<void> {
    return writeOnce(
      () => {},
      async (tx, _, origin) => {
        await transcript.sendWidgetSignal(tx, conversation, origin, widgetSignal);
        await fence.check(tx);
      },
    );
  }

  function stop(): void {
    isClosed = true;
    for (const stream of streams) stream.abort();
    if (isTyping) typing(false);
  }

  return {
    openStream,
    stoppedStreams: Object.fromEntries(
      [...stoppedMessages].map(([origin, { metadata }]) => [origin, String(metadata?.streamId)]),
    ),
    bot: {
      reply: (payload, { metadata, parts } = {}) =>
        sendMessage({ payload, ...(metadata ? { metadata } : {}), ...(parts ? { parts } : {}) }),
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
            await fence.check(tx);
            return serializeEvent(row, conversation.id);
          },
        ),
      ...createHandoffApi({ ...options, writeOnce }),
      ...createWidgetApi(participant.conversation.publicId, sendWidgetSignal),
      ...createStateApi({
        ...options,
        assertOpen,
        callError,
        parseObject: (value) => parse(runtimeSchemas.storedObject, value),
        write: (check, work) =>
          writeOnce(
            check,
            async (tx, checked) => {
              await fence.hold(tx, `owner:${checked.owner.id}`);
              return work(tx, checked);
            },
            { origin: 'state' },
          ),
      }),
      typing(on) {
        if (!isClosed && !signal.aborted) typing(on);
      },
      stream: () => openStream().stream,
      updatePart: (messageId, partId, fields) =>
        writeOnce(
          () => parseChange(partId, fields),
          async (tx, change) => {
            await tx.lock(`conversation:${conversation.id}`);
            const row = await findMessage(tx, messageId);
            const isOwn = row?.conversationId === conversation.id && row.isBot === 1;
            if (!row || !isOwn)
              throw new ApiError('ResourceNotFound', 'The bot has sent no such message here.');
            const changed = await updatePart(tx, transcript, conversation, row, change);
            await fence.check(tx);
            return serializeMessage(changed, conversation.id);
          },
          { origin: 'part' },
        ),
      message,
      user: serializeUser(user, user.id),
      conversation: serializeConversation(conversation, conversation.id),
      publicUrl: options.publicUrl,
      signal,
    },
    wasRefused: writes.wasRefused,
    async finish() {
      await settled();
      stop();
    },
    stop,
  };
}

/**
 * The functions of the bot object that reach the window on the visitor's page. `conversationId`: as signals have it. `send`:
 * sends a signal once.
 */
export function createWidgetApi(
  conversationId: string,
  send: (signal: Extract<Signal, { type: 'webchat_visibility' | 'webchat_config' }>) => Promise<void>,
): Pick<Bot, 'setVisibility' | 'configure'> {
  return {
    async setVisibility(visibility) {
      if (!visibilities.includes(visibility)) {
        throw callError(`The visibility must be one of ${visibilities.join(', ')}.`);
      }
      await send({ type: 'webchat_visibility', data: { conversationId, visibility } });
    },
    async configure(configuration) {
      const config = validateWidgetConfiguration(configuration);
      await send({ type: 'webchat_config', data: { conversationId, config } });
    },
  };
}

const request = v.strictObject({
  reason: v.exactOptional(handlingSchemas.reason),
  note: v.exactOptional(handlingSchemas.note),
  team: v.exactOptional(handlingSchemas.reason),
});

/** A team that does not exist is a mistake of the code, as a field that is not valid. */
function unknownTeam(error: unknown): never {
  throw error instanceof ApiError && error.type === 'ReferenceConstraint' ? callError(error.message) : error;
}

interface HandoffApiOptions extends Pick<Writes, 'writeOnce'> {
  db: Database;
  transcript: Pick<Transcript, 'handlings'>;
  context: { conversation: ConversationRow };
  fence: Fence;
  /** Called after the commit in which the handler has asked for a person. */
  onHandoff(): void;
}

/** The functions of the bot object about handoffs. */
export function createHandoffApi({
  db,
  transcript,
  context: { conversation },
  fence,
  onHandoff,
  writeOnce,
}: HandoffApiOptions): Pick<Bot, 'handoff' | 'handling'> {
  return {
    handoff: (input = {}) =>
      writeOnce(
        () => parse(request, input),
        async (tx, checked) => {
          let isAccepted = false;
          // Before the effects of the handoff, which cancel the handlers that did not ask for it.
          tx.afterCommit(() => {
            if (isAccepted) onHandoff();
          });
          const request = await transcript.handlings
            .request(tx, conversation, 'bot', checked)
            .catch(unknownTeam);
          isAccepted = request.accepted;
          const { handling: _, ...answer } = await transcript.handlings.answer(tx, conversation, request);
          await fence.check(tx);
          return answer;
        },
        { origin: 'handoff' },
      ),
    async handling() {
      const handling = await db.read((tx) => readHandlingById(tx, conversation.id));
      if (!handling) throw callError('The conversation no longer exists.');
      return handling;
    },
  };
}
