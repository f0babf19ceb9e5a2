// The log of the server as JSON lines. It must never contain text of users, which the message of an error may contain: V8
// quotes invalid JSON, and bot code may throw a text that a visitor sent.
import pino, { type DestinationStream, type Logger } from 'pino';

/** A logger that serializes errors (`err`) with `describeError`. */
export function createLogger(level: string, destination: DestinationStream): Logger {
  return pino({ level, serializers: { err: (error: unknown) => describeError(error) } }, destination);
}

interface DescribedError {
  type: string;
  /** Set only for errors with a `logMessage` (ApiError): their messages never contain request data. */
  message?: string;
  /** The error code of Node, such as `ENOSPC`. */
  code?: string;
  /** The result code of SQLite. */
  errcode?: number;
  /** The stack frames, innermost first. */
  at?: string[];
  cause?: DescribedError;
}

/** The number of nested causes that are logged. */
const maxDepth = 3;

/** The loggable description of any thrown value: its type and its stack frames. Never throws. */
export function describeError(error: unknown, depth = 0): DescribedError {
  try {
    if (!(error instanceof Error)) return { type: typeof error };
    const { code, errcode, logMessage } = error as Record<'code' | 'errcode' | 'logMessage', unknown> & Error;
    const at = framesOf(error);
    return {
      type: safeIdentifier(error.name) ?? 'Error',
      ...(typeof logMessage === 'string' ? { message: logMessage } : {}),
      ...(safeIdentifier(code) === undefined ? {} : { code: safeIdentifier(code) as string }),
      ...(typeof errcode === 'number' ? { errcode } : {}),
      ...(at.length > 0 ? { at } : {}),
      ...(error.cause !== undefined && depth < maxDepth
        ? { cause: describeError(error.cause, depth + 1) }
        : {}),
    };
  } catch {
    return { type: 'unknown' };
  }
}

/** A name or code, which consists of letters only; undefined for any other value, which could be a text of users. */
function safeIdentifier(value: unknown): string | undefined {
  return typeof value === 'string' && /^(?:[A-Z][A-Za-z]{0,39}|[A-Z][A-Z0-9_]{0,39})$/.test(value)
    ? value
    : undefined;
}

/** The stack frames below the message; empty when the stack belongs to another message. */
function framesOf({ message, stack = '' }: Error): string[] {
  const end = message === '' ? stack.indexOf('\n') : stack.indexOf(`${message}\n`);
  if (end < 0) return [];
  return stack
    .slice(end + message.length)
    .split('\n')
    .filter((line) => line.startsWith('    at '))
    .map((line) => line.slice('    at '.length));
}
