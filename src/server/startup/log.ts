// The log of the server as JSON lines. It contains no text of users (error-description.ts).
import pino, { type DestinationStream, type Logger } from 'pino';
import { BotError, describeBotError, describeError } from './error-description.ts';

/** A logger that serializes errors (`err`) with `describeError`, and a BotError with `describeBotError`. */
export function createLogger(level: string, destination: DestinationStream): Logger {
  const err = (error: unknown) =>
    error instanceof BotError ? describeBotError(error.cause) : describeError(error);
  return pino({ level, serializers: { err } }, destination);
}
