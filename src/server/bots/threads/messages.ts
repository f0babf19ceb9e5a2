// The messages between the server and the thread of a bot.
import type { Bot, BotEvent } from '../../../protocol/bot.ts';
import type { PartChange } from '../../../protocol/parts.ts';
import { type DescribedBotError, describeBotError } from '../../startup/log.ts';
import { isVisitorStop, stopReason } from '../answers/stream.ts';
import type { BotContext } from '../current-event.ts';

/** The functions of the bot object that return a promise. */
export type BotCall = {
  [Name in keyof Bot]: Bot[Name] extends (...given: never[]) => Promise<unknown> ? Name : never;
}[keyof Bot];

/** The parts of the bot object that are values. */
export type BotValues = Pick<Bot, 'message' | 'user' | 'conversation' | 'publicUrl'>;

/** The data that a thread needs to handle one event. `run`: identifies it in all messages about it. */
export interface StartedRun {
  run: number;
  context: BotContext;
  event: BotEvent;
  values: BotValues;
  /** The ids of the streams that the visitor stopped in an earlier delivery, by origin. */
  stoppedStreams: Record<string, string>;
}

export type ToThread =
  | ({ kind: 'event' } & StartedRun)
  | { kind: 'result'; run: number; call: number; value: unknown }
  | { kind: 'failure'; run: number; call: number; error: SentError }
  /** The event is over: its time has run out, its conversation was deleted, or the server stops. */
  | { kind: 'abort'; run: number; error: SentError }
  /** A visitor stopped the stream, or its event is over. */
  | { kind: 'abortStream'; run: number; stream: string; error: SentError }
  | { kind: 'ping' };

export type FromThread =
  | { kind: 'ready' }
  /** The module cannot be loaded. `problem`: why; `error`: what it threw, if it did. */
  | { kind: 'unloadable'; problem: string; error?: SentError }
  | { kind: 'call'; run: number; call: number; name: BotCall | 'endStream'; values: unknown[] }
  | { kind: 'typing'; run: number; on: boolean }
  | { kind: 'openStream'; run: number; stream: string }
  | { kind: 'write'; run: number; stream: string; delta: string }
  | { kind: 'changePart'; run: number; stream: string; change: PartChange }
  | { kind: 'abortStream'; run: number; stream: string }
  | { kind: 'done'; run: number; error?: SentError }
  /** Nobody caught an error, which a timer or a promise of the bot threw. `isLast`: the thread ends. */
  | {
      kind: 'uncaught';
      context: BotContext | undefined;
      run: number | undefined;
      error: SentError;
      isLast: boolean;
    }
  | { kind: 'pong' };

/** An error as a message between threads: classes and functions of an error cannot be sent. */
export interface SentError {
  description: DescribedBotError;
  /** The message for the log of the bot. */
  logMessage?: string;
  /** True for the error of a stream that the visitor stopped. */
  isStop: boolean;
  /** A thrown value that is not an error. */
  value?: { of: string | number | boolean | null | undefined };
}

/** Describes any thrown value. Never throws. */
export function sentError(thrown: unknown): SentError {
  const description = describeBotError(thrown);
  const isSimple = thrown === null || ['string', 'number', 'boolean', 'undefined'].includes(typeof thrown);
  const { logMessage } = (isSimple ? {} : thrown) as { logMessage?: unknown };
  return {
    description,
    isStop: isVisitorStop(thrown),
    ...(typeof logMessage === 'string' ? { logMessage } : {}),
    ...(isSimple ? { value: { of: thrown as string } } : {}),
  };
}

/** The thrown value again. Errors are equal in name, message, code, stack and causes; a TypeError is one again. */
export function receivedError({ description, logMessage, isStop, value }: SentError): unknown {
  if (isStop) return stopReason();
  if (value) return value.of;
  return Object.assign(errorOf(description), logMessage === undefined ? {} : { logMessage });
}

function errorOf({ type, message, stack, code, cause, errors }: DescribedBotError): Error {
  const error = type === 'TypeError' ? new TypeError(message) : new Error(message);
  Object.defineProperty(error, 'name', { value: type, configurable: true, writable: true });
  Object.defineProperty(error, 'stack', { value: stack, configurable: true, writable: true });
  return Object.assign(
    error,
    code === undefined ? {} : { code },
    cause === undefined ? {} : { cause: errorOf(cause) },
    errors === undefined ? {} : { errors: errors.map(errorOf) },
  );
}
