// A message that a bot streams piece by piece. It ends once: by the bot, by a visitor who stops it, or with its event.
import type { BotStream } from '../../../protocol/bot.ts';
import type { PageClient } from '../../../protocol/interrupts.ts';
import { limits } from '../../../protocol/limits.ts';
import type { Message, Metadata, Payload } from '../../../protocol/message.ts';
import { type Part, type PartChange, textOfParts } from '../../../protocol/parts.ts';
import type { NewInterrupt } from '../../../protocol/types/interrupts.ts';
import { ApiError } from '../../api/errors.ts';
import { createPartList } from '../../api/part-list.ts';
import type { AskedInterrupt } from '../../chat/index.ts';
import type { AnswerStream, ParticipantRef } from '../../realtime/answer-streams.ts';
import type { Presence } from '../../realtime/presence.ts';
import { createAnswerParts } from './answer-parts.ts';
import { endParts } from './asked-interrupts.ts';

export interface BotStreamOptions {
  presence: Presence;
  participant: ParticipantRef;
  /** By default, a new one. */
  id?: string | undefined;
  /** Aborted when the event ends. */
  signal: AbortSignal;
  /** The page whose tools the bot can call. */
  client?: PageClient | undefined;
  now(): number;
  /** Stores the final message, or finds the one that an earlier delivery stored, and completes the stream. */
  store(content: StreamedContent, stream: AnswerStream): Promise<Message>;
}

/** The result of a streamed answer. */
export interface StreamedContent {
  payload: Payload;
  metadata: Metadata;
  parts: readonly Part[];
  /** The open interrupts among the parts. */
  asked: readonly AskedInterrupt[];
  /** It was stopped: what was written is stored although a person may have taken over. */
  isEnd?: boolean;
}

export interface BotStreamHandle {
  stream: BotStream;
  /** Changes a part. Throws as `PartList.apply` does. */
  changePart(change: PartChange): void;
  /** The parts so far. */
  parts(): readonly Part[];
  /** See `PartList.received`. */
  receivedParts(): readonly Part[];
  /** The text so far. */
  text(): string;
  /** Writes text as it is; `stream.write` begins a paragraph after a part. */
  append(delta: string): void;
  /** Takes the text back except for its beginning: who has seen it sees a new stream with this beginning and the parts. */
  restart(beginning: string): void;
  /** Ends the stream without a message, unless it has ended. */
  abort(): void;
}

/**
 * The deduplication key of the message of a stream. Streams are numbered separately from replies: a stop by the visitor
 * must not change the keys of later writes. The stop and the end share one, so that a repeated delivery stores only one of
 * them.
 */
export const streamOrigin = (eventId: string, ordinal: number): string => `${eventId}:stream:${ordinal}`;

/** Starts a stream and publishes it to the subscribers of the conversation. */
export function openBotStream({
  presence,
  participant,
  id,
  signal,
  client,
  now,
  store,
}: BotStreamOptions): BotStreamHandle {
  const controller = linkedController(signal);
  /** The result: a message, or none when the visitor stopped the stream before anything was written. */
  let end: Promise<Message | undefined> | undefined;
  const list = createPartList();
  const content = (
    payload: Payload | undefined,
    metadata: Metadata,
    interrupts: readonly NewInterrupt[] = [],
  ): StreamedContent => {
    const { text } = liveStream;
    const ended = endParts(list.parts, interrupts, text.length, now(), client);
    return { payload: payload ?? payloadOf(text, ended.parts), metadata, ...ended };
  };

  const stoppedContent = (): StreamedContent => ({
    ...content(undefined, { streamId: liveStream.id, stopped: true }),
    isEnd: true,
  });

  const stop = async () => {
    // A stop after the end changes nothing. It resolves when the end has settled, so that the message is stored.
    if (end) return void (await end.catch(() => {}));
    const isEmpty = liveStream.text === '' && !hasBlock(list.parts);
    if (isEmpty) liveStream.abort();
    end = isEmpty ? Promise.resolve(undefined) : store(stoppedContent(), liveStream);
    controller.abort(stopReason());
    await end.catch((error: unknown) => {
      liveStream.abort();
      throw error;
    });
  };
  let liveStream = presence.startStream(participant, stop, id);

  function append(delta: string): void {
    if (end) return;
    if (liveStream.text.length + delta.length > limits.streamCharacters) {
      throw new Error(`A streamed message is limited to ${limits.streamCharacters} characters.`);
    }
    liveStream.write(delta);
  }
  function changePart(change: PartChange): void {
    const applied = end ? undefined : list.apply(change);
    if (applied) liveStream.changePart(applied);
  }
  function restart(beginning: string): void {
    if (end) return;
    liveStream.abort();
    liveStream = presence.startStream(participant, stop);
    liveStream.write(beginning);
    for (const { id, at } of list.parts) if (at > beginning.length) list.apply({ id, at: beginning.length });
    for (const part of list.parts) liveStream.changePart({ ...part });
    reset();
  }
  const { plainInterrupts, reset, ...parts } = createAnswerParts({
    parts: () => list.parts,
    position: () => liveStream.text.length,
    change: changePart,
    write: append,
  });

  const endStream: BotStream['end'] = async (payload, { metadata, interrupts } = {}) => {
    if (end) return assertMessage(await end, controller.signal);
    const plain = interrupts && plainInterrupts(interrupts);
    const stored = store(content(payload, { ...metadata, streamId: liveStream.id }, plain), liveStream);
    end = stored;
    try {
      return await stored;
    } catch (error) {
      // A person has taken over meanwhile: what the visitor has read stays.
      if (isHandledByPerson(error) && liveStream.text !== '') {
        end = store(stoppedContent(), liveStream);
        return assertMessage(await end, controller.signal);
      }
      // The bot can call `end` again with a valid payload.
      end = undefined;
      liveStream.abort();
      throw error;
    }
  };

  return {
    append,
    changePart,
    parts: () => list.parts,
    receivedParts: () => list.received,
    text: () => liveStream.text,
    restart,
    abort: () => liveStream.abort(),
    stream: {
      get id() {
        return liveStream.id;
      },
      signal: controller.signal,
      ...parts,
      end: endStream,
      interrupt: (interrupt) => endStream(undefined, { interrupts: [interrupt] }),
      abort: () => liveStream.abort(),
    },
  };
}

/** The payload of an answer by its text; one without text has a text in place of its parts, for clients that do not know them. */
export const payloadOf = (markdown: string, parts: readonly Part[]): Payload => {
  const text = markdown.trim() === '' ? textOfParts(parts) : '';
  return text === '' ? { type: 'markdown', markdown } : { type: 'text', text };
};

/** Whether an answer has parts that can be a message without text. */
export const hasBlock = (parts: readonly Part[]): boolean => parts.some(({ type }) => type === 'block');

/** The stream of a message that the visitor stopped in an earlier delivery of the event: writes have no effect. */
export function stoppedStream(message: Message): BotStreamHandle {
  const none = () => [];
  const ignored = { parts: none, receivedParts: none, text: () => '', append() {}, changePart() {} };
  const {
    plainInterrupts: _,
    reset: __,
    ...parts
  } = createAnswerParts({
    parts: () => [],
    position: () => 0,
    change() {},
    write() {},
  });
  return {
    ...ignored,
    restart() {},
    abort() {},
    stream: {
      ...parts,
      id: String(message.metadata?.streamId),
      signal: AbortSignal.abort(stopReason()),
      end: async () => message,
      interrupt: async () => message,
      abort() {},
    },
  };
}

/** True for the error that bot code throws because the visitor stopped its stream. This is not a failure. */
export function isVisitorStop(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return stops.has(error) || (error.cause instanceof Error && stops.has(error.cause));
}

/** True for the refusal of a message of the bot where a person answers. */
export const isHandledByPerson = (error: unknown): boolean =>
  error instanceof ApiError && error.type === 'HandledByPerson';

const stops = new WeakSet<Error>();

/** The reason with which a stream is aborted that a visitor stopped. */
export function stopReason(): Error {
  const reason = new DOMException('The visitor stopped the stream.', 'AbortError');
  stops.add(reason);
  return reason;
}

/** The message of a stopped stream. Throws the reason of the stop when nothing was written and no message exists. */
function assertMessage(message: Message | undefined, signal: AbortSignal): Message {
  if (!message) throw signal.reason;
  return message;
}

/** A controller that is aborted when `signal` is. */
export function linkedController(signal: AbortSignal): AbortController {
  const controller = new AbortController();
  const follow = () => controller.abort(signal.reason);
  if (signal.aborted) follow();
  else signal.addEventListener('abort', follow, { once: true });
  return controller;
}
