// The limit on one payload. It measures JSON in bytes, as it is stored and sent.
import { limits } from '../../protocol/limits.ts';
import { ApiError } from './errors.ts';

/** The bytes of `value` as JSON, 0 for undefined. Throws PayloadTooLarge when they are more than 128 KB. */
export function assertSize(field: string, value: unknown): number {
  if (value === undefined) return 0;
  const bytes = Buffer.byteLength(JSON.stringify(value));
  if (bytes > limits.payloadBytes) {
    throw new ApiError(
      'PayloadTooLarge',
      `${field} has ${bytes} bytes; at most ${limits.payloadBytes} are taken.`,
    );
  }
  return bytes;
}
