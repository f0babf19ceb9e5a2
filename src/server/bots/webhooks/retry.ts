// The retry policy of webhooks: the state and the delay of an event after a failed attempt. Pure functions.
import { type DeliveryState, deliveryStates } from '../../storage/bots/deliveries.ts';

export interface RetryPlan {
  /** Milliseconds before each retry that blocks later events of the conversation. */
  blocking: readonly number[];
  /** Milliseconds before each later retry, which does not block other events. */
  deferred: readonly number[];
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** 31 attempts in about a day: four within half a minute that block the conversation, and 27 that do not. */
export const retryPlan: RetryPlan = {
  blocking: [2_000, 8_000, 20_000],
  deferred: [minuteMs, 5 * minuteMs, 15 * minuteMs, 40 * minuteMs, ...Array<number>(23).fill(hourMs)],
};

/** The longest delay in milliseconds, also if `Retry-After` asks for more: an hour and its jitter. */
export const maxDelayMs = 1.2 * hourMs;

export interface Failure {
  /** Attempts so far, including this one. */
  attempts: number;
  /** The state before the attempt. */
  state: DeliveryState;
  /** Milliseconds that the receiver requested (`Retry-After`). */
  retryAfter: number | undefined;
  /** True when a retry cannot succeed. */
  isFinal: boolean;
}

/** The next state of an event after a failed attempt, and the delay in milliseconds. `random`: from 0 to 1. */
export function planRetry(
  { attempts, state, retryAfter = 0, isFinal }: Failure,
  plan: RetryPlan,
  random: number,
): { state: DeliveryState; delay: number } {
  const blockingDelay = plan.blocking[attempts - 1];
  const delay = blockingDelay ?? plan.deferred[attempts - 1 - plan.blocking.length];
  if (isFinal || delay === undefined) return { state: deliveryStates.deadLetter, delay: 0 };
  // Jitter of 20 % either way, so that events that failed together are not retried together.
  const wait = Math.min(maxDelayMs, Math.max(retryAfter, delay * (0.8 + 0.4 * random)));
  const maxBlockingDelay = 1.2 * Math.max(0, ...plan.blocking);
  const isBlocking =
    state === deliveryStates.pending && blockingDelay !== undefined && wait <= maxBlockingDelay;
  return { state: isBlocking ? deliveryStates.pending : deliveryStates.deferred, delay: Math.ceil(wait) };
}
