// The log of the server as JSON lines, and its descriptions of errors. It contains no text of users, which the message of an
// error of the server may contain (V8 quotes invalid JSON). Errors of bot code are logged with their messages (decision 33).
import { inspect } from 'node:util';
import pino, { type DestinationStream, type Logger } from 'pino';

/** A logger that serializes errors (`err`) with `describeError`, and a BotError with `describeBotError`. */
export function createLogger(level: string, destination: DestinationStream): Logger {
  const err = (error: unknown) =>
    error instanceof BotError ? describeBotError(error.cause) : describeError(error);
  return pino({ level, serializers: { err } }, destination);
}

/** Marks a value as thrown by the code of a bot (`cause`), so that the log has its message. */
export class BotError extends Error {
  override name = 'BotError';
  constructor(thrown: unknown) {
    super('The bot failed.', { cause: thrown });
  }
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

export interface DescribedBotError {
  type: string;
  message: string;
  /** The stack with the files and lines of the bot, innermost first. */
  stack?: string;
  /** The error code of Node or of a library. */
  code?: string;
  cause?: DescribedBotError;
  /** The first errors of an AggregateError. */
  errors?: DescribedBotError[];
}

/** Characters that are logged of each text; what is left out is counted. */
const maxMessage = 2_000;
const maxStack = 8_000;
const maxName = 100;
/** The number of errors of an AggregateError that are logged. */
const maxErrors = 3;

/** The loggable description of a value that bot code threw, with its message. Never throws. */
export function describeBotError(thrown: unknown, depth = 0): DescribedBotError {
  if (!isError(thrown)) return { type: thrown === null ? 'null' : typeof thrown, message: print(thrown) };
  const read = (name: string): unknown => {
    try {
      return Reflect.get(thrown, name);
    } catch {
      return undefined;
    }
  };
  const [name, message, stack, code] = [read('name'), read('message'), read('stack'), read('code')];
  const [cause, errors] = [read('cause'), read('errors')];
  const isDeep = depth >= maxDepth;
  return {
    type: typeof name === 'string' && name !== '' ? cut(name, maxName) : 'Error',
    message: typeof message === 'string' ? cut(message, maxMessage) : 'The message cannot be read.',
    ...(typeof stack === 'string' ? { stack: cut(stack, maxStack) } : {}),
    ...(typeof code === 'string' ? { code: cut(code, maxName) } : {}),
    ...(cause === undefined || isDeep ? {} : { cause: describeBotError(cause, depth + 1) }),
    ...(Array.isArray(errors) && !isDeep
      ? { errors: errors.slice(0, maxErrors).map((error) => describeBotError(error, depth + 1)) }
      : {}),
  };
}

/** False for a proxy that throws. */
function isError(value: unknown): value is Error {
  try {
    return value instanceof Error;
  } catch {
    return false;
  }
}

/** Any value as text. Runs no code of the value. */
function print(value: unknown): string {
  if (typeof value === 'string') return cut(value, maxMessage);
  try {
    return cut(inspect(value, { customInspect: false, depth: 2, maxStringLength: maxMessage }), maxMessage);
  } catch {
    return 'The value cannot be read.';
  }
}

/** The beginning of a text, with the number of characters that are left out. */
const cut = (text: string, max: number): string => {
  if (text.length <= max) return text;
  // No half character at the end.
  const beginning = text.slice(0, max).replace(/[\ud800-\udbff]$/, '');
  return `${beginning}… (${text.length - beginning.length} more characters)`;
};

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
