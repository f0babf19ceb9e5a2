// The time to wait before the next attempt, for requests and for the stream. Pure except for randomness.
import { ApiError } from './errors.ts';

/** The steps are 1, 2 and 4 s, then 5 s for the first minute of an outage, and then they double up to one minute. */
const firstStepMs = 1_000;
const quickStepMs = 5_000;
const lastStepMs = 60_000;
/** How many failures have a quick step: they take 42 to 52 s. */
const quickFailures = 12;

/**
 * Milliseconds to wait after `failures` failures in a row (from 1), or as long as the server requested. The first step
 * is spread from 0.2 to 1.8 s, so that the streams of a restarted server do not return in the same moment: 9,000 make
 * 6,100 attempts in the busiest second, not 9,000 in a fifth of one. The later steps are spread over a fifth, which adds
 * up. A server that was away for less than 40 s is found within 5 s; ten minutes take at most 30 attempts.
 */
export function backoffMs(failures: number, error: unknown, random: () => number = Math.random): number {
  const quick = Math.min(quickStepMs, firstStepMs * 2 ** (failures - 1));
  const step = Math.min(lastStepMs, quick * 2 ** Math.max(0, failures - quickFailures));
  const requested = error instanceof ApiError ? (error.retryAfterMs ?? 0) : 0;
  return Math.max(requested, step * (failures > 1 ? 0.8 + 0.2 * random() : 0.2 + 1.6 * random()));
}
