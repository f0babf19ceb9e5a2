// Errors as messages between threads: classes and functions of an error cannot be sent.
import { type DescribedBotError, describeBotError } from '../../startup/log.ts';
import { isVisitorStop, stopReason } from '../answers/stream.ts';

export interface SentError {
  description: DescribedBotError;
  /** What the log of the bot may contain. */
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
