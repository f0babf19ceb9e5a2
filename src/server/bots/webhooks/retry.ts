// When an event that a webhook did not take is tried again, and when no more. It knows no clock and keeps nothing.
import type { DeliveryState } from '../../storage/bots/deliveries.ts';

export interface RetryPlan {
  /** Milliseconds before the attempts that later events of the conversation wait for. */
  held: readonly number[];
  /** Milliseconds before the attempts after those, which later events pass. */
  parked: readonly number[];
}

const minute = 60_000;
const hour = 60 * minute;

/** 31 attempts in about a day: four within half a minute, in order; the others while the conversation goes on. */
export const retryPlan: RetryPlan = {
  held: [2_000, 8_000, 20_000],
  parked: [minute, 5 * minute, 15 * minute, 40 * minute, ...Array<number>(23).fill(hour)],
};

/** Milliseconds that one delay may be, whoever asks for more: an hour, and its jitter. */
export const longestDelay = 1.2 * hour;

export interface Failure {
  /** Attempts so far, this one with them. */
  attempts: number;
  /** The state of the event before. */
  state: DeliveryState;
  /** Milliseconds that the receiver asked for (`Retry-After`). */
  asked: number | undefined;
  /** No attempt will ever do better. */
  isFinal: boolean;
}

/** What becomes of an event after a failed attempt: `delay` in milliseconds. `random`: from 0 to 1. */
export function planRetry(
  { attempts, state, asked = 0, isFinal }: Failure,
  plan: RetryPlan,
  random: number,
): { state: DeliveryState; delay: number } {
  const held = plan.held[attempts - 1];
  const delay = held ?? plan.parked[attempts - 1 - plan.held.length];
  if (isFinal || delay === undefined) return { state: 'dead', delay: 0 };
  // 20 % either way, so that many that failed together do not come back together.
  const wait = Math.min(longestDelay, Math.max(asked, delay * (0.8 + 0.4 * random)));
  const longestHeld = 1.2 * Math.max(0, ...plan.held);
  const isHeld = state === 'waiting' && held !== undefined && wait <= longestHeld;
  return { state: isHeld ? 'waiting' : 'parked', delay: Math.ceil(wait) };
}

/** Milliseconds in a `Retry-After`: seconds, or a date (RFC 9110, 10.2.3); undefined for what is neither. */
export function readRetryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1_000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
