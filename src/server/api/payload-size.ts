// The size limit of one payload, measured in bytes of its JSON as it is stored and sent.
import { limits } from '../../protocol/limits.ts';
import { ApiError } from './errors.ts';

/** Returns the bytes of `value` as JSON, 0 for undefined. Throws PayloadTooLarge above 128 KB. */
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
