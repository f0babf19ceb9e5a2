// The size limits of payloads, measured in bytes of their JSON as it is stored and sent.
import { limits } from '../../protocol/limits.ts';
import { ApiError } from './errors.ts';

/** Returns the bytes of `value` as JSON, 0 for undefined. Throws PayloadTooLarge above `most`, by default 1 MB. */
export function assertSize(field: string, value: unknown, most: number = limits.payloadBytes): number {
  if (value === undefined) return 0;
  const bytes = Buffer.byteLength(JSON.stringify(value));
  if (bytes > most)
    throw new ApiError('PayloadTooLarge', `${field} has ${bytes} bytes; at most ${most} are taken.`);
  return bytes;
}

/** Returns the bytes of a message as JSON. Throws PayloadTooLarge when payload and metadata together exceed 1 MB. */
export function assertMessageSize({ payload, metadata }: { payload: unknown; metadata?: unknown }): number {
  const bytes = assertSize('payload', payload);
  return bytes + assertSize('metadata', metadata, limits.payloadBytes - bytes);
}
