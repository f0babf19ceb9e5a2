// One answer that a bot writes piece by piece. It ends once: by the bot, by the visitor who stops it, or with its event.
import type { BotStream } from '../../protocol/bot.ts';
import { limits } from '../../protocol/limits.ts';
import type { Message, Metadata, Payload } from '../../protocol/message.ts';
import type { Live, LiveStream, Place } from '../realtime/presence.ts';

export interface BotStreamOptions {
  live: Live;
  place: Place;
  /** Aborted when the event is over. */
  signal: AbortSignal;
  /** Stores the message that stays, or finds the one that an earlier delivery stored, and completes the stream. */
  store(payload: Payload, metadata: Metadata, stream: LiveStream): Promise<Message>;
}

export interface OwnedStream {
  stream: BotStream;
  /** Ends it without a message, unless it has ended. */
  abort(): void;
}

/** Begins an answer and shows it to all who listen. */
export function openBotStream({ live, place, signal, store }: BotStreamOptions): OwnedStream {
  const controller = followed(signal);
  /** How it ended: with a message, or with none because nothing was written before the stop. */
  let end: Promise<Message | undefined> | undefined;

  const writing = live.stream(place, async () => {
    // A stop that comes with the end changes nothing; answered when the end is settled, so that its message is there.
    if (end) return void (await end.catch(() => {}));
    const markdown = writing.text;
    if (markdown === '') writing.abort();
    end =
      markdown === ''
        ? Promise.resolve(undefined)
        : store({ type: 'markdown', markdown }, { streamId: writing.id, stopped: true }, writing);
    controller.abort(stopReason());
    await end.catch((error: unknown) => {
      writing.abort();
      throw error;
    });
  });

  return {
    abort: () => writing.abort(),
    stream: {
      id: writing.id,
      signal: controller.signal,
      write(delta) {
        if (end) return;
        if (writing.text.length + delta.length > limits.payloadBytes) {
          throw new Error(`A streamed answer may have at most ${limits.payloadBytes} characters.`);
        }
        writing.write(delta);
      },
      async end(payload = { type: 'markdown', markdown: writing.text }, { metadata } = {}) {
        if (end) return given(await end, controller.signal);
        const stored = store(payload, { ...metadata, streamId: writing.id }, writing);
        end = stored;
        try {
          return await stored;
        } catch (error) {
          // The bot may try again, with a payload that is valid.
          end = undefined;
          writing.abort();
          throw error;
        }
      },
      abort: () => writing.abort(),
    },
  };
}

/** The stream of an answer that the visitor stopped in an earlier delivery of the event: nothing is written any more. */
export function stoppedStream(message: Message): BotStream {
  return {
    id: String(message.metadata?.streamId),
    signal: AbortSignal.abort(stopReason()),
    write() {},
    end: async () => message,
    abort() {},
  };
}

/** True for what bot code throws because the visitor stopped its answer: that is no failure. */
export function isStop(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return stops.has(error) || (error.cause instanceof Error && stops.has(error.cause));
}

const stops = new WeakSet<Error>();

function stopReason(): Error {
  const reason = new DOMException('The visitor stopped the answer.', 'AbortError');
  stops.add(reason);
  return reason;
}

/** The message of a stopped answer; where nothing was written there is none, and `end` rejects with the stop. */
function given(message: Message | undefined, signal: AbortSignal): Message {
  if (!message) throw signal.reason;
  return message;
}

/** A controller that is aborted with `signal`. */
function followed(signal: AbortSignal): AbortController {
  const controller = new AbortController();
  const follow = () => controller.abort(signal.reason);
  if (signal.aborted) follow();
  else signal.addEventListener('abort', follow, { once: true });
  return controller;
}
