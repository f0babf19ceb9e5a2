// The time to wait before the next attempt, for requests and for the stream. Pure except for randomness.
import { ApiError } from './errors.ts';

const firstDelayMs = 1_000;
const lastDelayMs = 30_000;

/**
 * Milliseconds to wait after `failures` failures in a row (from 1), or as long as the server requested. It doubles
 * with jitter, so that clients do not return to a recovering server in the same second. 0.8 to 1 of the step keeps a
 * ten-minute outage under 30 attempts.
 */
export function backoffMs(failures: number, error: unknown, random: () => number = Math.random): number {
  const step = Math.min(lastDelayMs, firstDelayMs * 2 ** (failures - 1));
  const asked = error instanceof ApiError ? (error.retryAfterMs ?? 0) : 0;
  return Math.max(asked, step * (0.8 + 0.2 * random()));
}
