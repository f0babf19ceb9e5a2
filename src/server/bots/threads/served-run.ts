// One event that the thread of a bot handles, from the side of the server: it carries out the calls of the bot object.
import type { BotEvent } from '../../../protocol/bot.ts';
import type { BotStreamHandle } from '../answers/stream.ts';
import type { BotApi } from '../bot-api.ts';
import type { BotContext } from '../current-event.ts';
import { type FromThread, receivedError, sentError, type ToThread } from './messages.ts';

type RunMessage = Extract<
  FromThread,
  { kind: 'call' | 'typing' | 'openStream' | 'write' | 'changePart' | 'abortStream' | 'done' }
>;

export interface ServedRun {
  /** Resolves when the handler has finished. Rejects with its error, or with that of `end`. */
  finished: Promise<void>;
  receive(message: RunMessage): void;
  /** Tells the bot that the event is over. `finished` waits for it no longer. */
  abort(reason: unknown): void;
  /** The thread has ended. */
  end(error: unknown): void;
}

interface ServedRunOptions {
  run: number;
  event: BotEvent;
  api: BotApi;
  context: BotContext;
  post(message: ToThread): void;
}

/** Sends the event to the thread. */
export function createServedRun({ run, event, api, context, post }: ServedRunOptions): ServedRun {
  const { bot, stoppedStreams } = api;
  const streams = new Map<string, BotStreamHandle>();
  let settle: { resolve(): void; reject(error: unknown): void };
  const finished = new Promise<void>((resolve, reject) => {
    settle = { resolve, reject };
  });
  // It is awaited later.
  finished.catch(() => {});

  function call({ name, values }: Extract<RunMessage, { kind: 'call' }>): Promise<unknown> {
    if (name !== 'endStream')
      return (bot[name] as (...given: never[]) => Promise<unknown>)(...(values as never[]));
    const [id, ...rest] = values;
    const stream = streams.get(id as string);
    return stream
      ? stream.stream.end(...(rest as []))
      : Promise.reject(new Error('There is no such stream.'));
  }

  async function answer(message: Extract<RunMessage, { kind: 'call' }>): Promise<void> {
    const ids = { run, call: message.call };
    try {
      post({ kind: 'result', ...ids, value: await call(message) });
    } catch (error) {
      post({ kind: 'failure', ...ids, error: sentError(error) });
    }
  }

  function open(id: string): void {
    try {
      const handle = api.openStream(id);
      const { stream } = handle;
      streams.set(id, handle);
      const abort = () =>
        post({ kind: 'abortStream', run, stream: id, error: sentError(stream.signal.reason) });
      if (!stream.signal.aborted) stream.signal.addEventListener('abort', abort, { once: true });
    } catch (error) {
      // The event is over.
      post({ kind: 'abortStream', run, stream: id, error: sentError(error) });
    }
  }

  const { message, user, conversation, publicUrl } = bot;
  const values = { message, user, conversation, publicUrl };
  post({ kind: 'event', run, context, event, values, stoppedStreams });

  function receive(message: RunMessage): void {
    if (message.kind === 'call') void answer(message);
    else if (message.kind === 'typing') bot.typing(message.on);
    else if (message.kind === 'openStream') open(message.stream);
    else if (message.kind === 'write') streams.get(message.stream)?.append(message.delta);
    else if (message.kind === 'changePart') streams.get(message.stream)?.changePart(message.change);
    else if (message.kind === 'abortStream') streams.get(message.stream)?.abort();
    else if (message.error === undefined) settle.resolve();
    else settle.reject(receivedError(message.error));
  }

  return {
    finished,
    receive(message) {
      try {
        receive(message);
      } catch (error) {
        settle.reject(error);
      }
    },
    abort(reason) {
      post({ kind: 'abort', run, error: sentError(reason) });
      settle.reject(reason);
    },
    end: (error) => settle.reject(error),
  };
}
