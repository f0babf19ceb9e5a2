// The log: JSON lines that tell operators what failed and where. It never repeats what somebody wrote, which the
// message of an error may hold: V8 quotes the text that is no JSON, bot code throws what it was told.
import pino, { type DestinationStream, type Logger } from 'pino';

/** A logger whose errors (`err`) are told by `describeError`. */
export function createLogger(level: string, destination: DestinationStream): Logger {
  return pino({ level, serializers: { err: (error: unknown) => describeError(error) } }, destination);
}

interface Described {
  type: string;
  /** Set only for errors with a `logMessage` (ApiError): their messages never contain request data. */
  message?: string;
  /** The words of Node for what went wrong, such as `ENOSPC`. */
  code?: string;
  /** The number of SQLite for it. */
  errcode?: number;
  /** Where it was thrown, innermost first. */
  at?: string[];
  cause?: Described;
}

/** Causes that are told of. */
const maxDepth = 3;

/** What may be said of anything that was thrown: its kind and its place. Never throws, whatever it is. */
export function describeError(error: unknown, depth = 0): Described {
  try {
    if (!(error instanceof Error)) return { type: typeof error };
    const { code, errcode, logMessage } = error as Record<'code' | 'errcode' | 'logMessage', unknown> & Error;
    const at = framesOf(error);
    return {
      type: wordOf(error.name) ?? 'Error',
      ...(typeof logMessage === 'string' ? { message: logMessage } : {}),
      ...(wordOf(code) === undefined ? {} : { code: wordOf(code) as string }),
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

/** Names and codes are single words of the alphabet; what is not may be anything. */
function wordOf(value: unknown): string | undefined {
  return typeof value === 'string' && /^(?:[A-Z][A-Za-z]{0,39}|[A-Z][A-Z0-9_]{0,39})$/.test(value)
    ? value
    : undefined;
}

/** The lines of the stack below the message; none where the stack was made for another one. */
function framesOf({ message, stack = '' }: Error): string[] {
  const end = message === '' ? stack.indexOf('\n') : stack.indexOf(`${message}\n`);
  if (end < 0) return [];
  return stack
    .slice(end + message.length)
    .split('\n')
    .filter((line) => line.startsWith('    at '))
    .map((line) => line.slice('    at '.length));
}
