// The bot object inside the thread of a bot: each call is a message to the server, which answers it with another one.
// Why not `comlink`: calls have an order, end with the event, and fail with errors of the API (decision 152).
import type { Bot, BotStream } from '../../../protocol/bot.ts';
import { limits } from '../../../protocol/limits.ts';
import type { Message } from '../../../protocol/message.ts';
import { createPartList } from '../../api/part-list.ts';
import { createId } from '../../storage/ids.ts';
import { createAnswerParts } from '../answers/answer-parts.ts';
import { linkedController, stopReason, streamOrigin } from '../answers/stream.ts';
import { CallResult } from '../call-result.ts';
import { type BotCall, type FromThread, receivedError, type StartedRun, type ToThread } from './messages.ts';

/** A message of the server about one event. */
export type RunMessage = Extract<ToThread, { kind: 'result' | 'failure' | 'abort' | 'abortStream' }>;

export interface ThreadBot {
  bot: Bot;
  receive(message: RunMessage): void;
  /** Waits for the calls that the bot's code does not wait for. Rejects with the error of one that failed. */
  finish(): Promise<void>;
  /** From now on, every call is rejected. */
  close(): void;
}

interface PendingCall {
  resolve(value: unknown): void;
  reject(error: unknown): void;
  /** The stack of the call, which has the line of the bot's code. */
  stack: string;
}

/** Creates the bot object for one event. `post`: sends a message to the server; throws for what cannot be sent. */
export function createThreadBot(started: StartedRun, post: (message: FromThread) => void): ThreadBot {
  const { run, event, values, stoppedStreams } = started;
  const controller = new AbortController();
  const pending = new Map<number, PendingCall>();
  const streams = new Map<string, AbortController>();
  const results: CallResult<unknown>[] = [];
  let calls = 0;
  let isClosed = false;

  const over = () => new TypeError(`The event ${event.id} is over; its bot can send no more.`);
  const assertOpen = () => {
    if (isClosed || controller.signal.aborted) throw over();
  };

  /** Calls a function of the bot object on the server. The error of a call has the stack of its caller. */
  function call<T>(name: BotCall | 'endStream', args: unknown[], caller: () => unknown): CallResult<T> {
    const trace: { stack?: string } = {};
    Error.captureStackTrace(trace, caller);
    const result = new CallResult<T>((resolve, reject) => {
      assertOpen();
      const id = calls++;
      pending.set(id, { resolve: (value) => resolve(value as T), reject, stack: trace.stack ?? '' });
      sendValues(args, (values) => post({ kind: 'call', run, call: id, name, values }));
    });
    return result;
  }

  /** The function of this name. Errors of calls that nobody waits for are failures of the event. */
  function remote<T>(name: BotCall): (...given: unknown[]) => Promise<T> {
    return function caller(...args) {
      const result = call<T>(name, args, caller);
      results.push(result);
      return result;
    };
  }

  function openStream(): BotStream {
    assertOpen();
    const stopped = stoppedStreams[streamOrigin(event.id, streams.size)];
    const id = stopped ?? createId('stream');
    const own = linkedController(controller.signal);
    streams.set(id, own);
    if (stopped !== undefined) own.abort(stopReason());
    post({ kind: 'openStream', run, stream: id });
    let length = 0;
    let isEnded = false;
    const end: BotStream['end'] = async (payload, { interrupts, ...options } = {}) => {
      const args = [
        payload,
        { ...options, ...(interrupts ? { interrupts: plainInterrupts(interrupts) } : {}) },
      ];
      isEnded = true;
      try {
        return await call<Message>('endStream', [id, ...args], end);
      } catch (error) {
        // The bot can call `end` again with a valid payload.
        isEnded = false;
        throw error;
      }
    };
    // The server has the same list: here, a wrong call throws where it was made.
    const list = createPartList();
    const isOver = () => isEnded || own.signal.aborted;
    const {
      plainInterrupts,
      reset: _,
      ...parts
    } = createAnswerParts({
      parts: () => list.parts,
      position: () => length,
      change(change) {
        const applied = isOver() ? undefined : list.apply(change);
        if (applied) post({ kind: 'changePart', run, stream: id, change: applied });
      },
      write(delta) {
        if (isOver()) return;
        if (length + delta.length > limits.streamCharacters) {
          throw new Error(`A streamed message is limited to ${limits.streamCharacters} characters.`);
        }
        length += delta.length;
        post({ kind: 'write', run, stream: id, delta });
      },
    });
    return {
      id,
      signal: own.signal,
      ...parts,
      end,
      interrupt: (interrupt) => end(undefined, { interrupts: [interrupt] }),
      abort() {
        isEnded = true;
        post({ kind: 'abortStream', run, stream: id });
      },
    };
  }

  function settle({ call: id }: { call: number }): PendingCall | undefined {
    const found = pending.get(id);
    pending.delete(id);
    return found;
  }

  return {
    bot: {
      reply: remote('reply'),
      sendEvent: remote('sendEvent'),
      setVisibility: remote('setVisibility'),
      configure: remote('configure'),
      getState: remote('getState'),
      setState: remote('setState'),
      patchState: remote('patchState'),
      updatePart: remote('updatePart'),
      handoff: remote('handoff'),
      handling: remote('handling'),
      typing(on) {
        if (!isClosed && !controller.signal.aborted) post({ kind: 'typing', run, on: Boolean(on) });
      },
      stream: openStream,
      ...values,
      signal: controller.signal,
    },
    receive(message) {
      if (message.kind === 'result') settle(message)?.resolve(message.value);
      else if (message.kind === 'failure') {
        const found = settle(message);
        const error = receivedError(message.error);
        if (error instanceof Error && !message.error.isStop && found) {
          error.stack = `${error.name}: ${error.message}${found.stack.replace(/^.*/, '')}`;
        }
        found?.reject(error);
      } else if (message.kind === 'abort') {
        controller.abort(receivedError(message.error));
        // The server may not have received these calls in time, and then does not answer them.
        for (const { reject } of pending.values()) reject(over());
        pending.clear();
      } else streams.get(message.stream)?.abort(receivedError(message.error));
    },
    async finish() {
      await Promise.all(results.map((result) => result.ignored()));
    },
    close() {
      isClosed = true;
    },
  };
}

/** Sends values. Values that cannot be copied, such as functions, are left out, as in JSON. Throws a TypeError if that fails. */
function sendValues(values: unknown[], send: (values: unknown[]) => void): void {
  try {
    send(values);
  } catch {
    try {
      send(JSON.parse(JSON.stringify(values)) as unknown[]);
    } catch {
      throw new TypeError('The payload is not valid: it contains what cannot be written as JSON.');
    }
  }
}
