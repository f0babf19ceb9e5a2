// The limit on one payload. It measures JSON in bytes, as it is stored and sent.
import { limits } from '../protocol/limits.ts';
import { ApiError } from './errors.ts';

/** Throws PayloadTooLarge when `value` is more than 128 KB as JSON. */
export function assertSize(field: string, value: unknown): void {
  if (value === undefined) return;
  const bytes = Buffer.byteLength(JSON.stringify(value));
  if (bytes > limits.payloadBytes) {
    throw new ApiError(
      'PayloadTooLarge',
      `${field} has ${bytes} bytes; at most ${limits.payloadBytes} are taken.`,
    );
  }
}
