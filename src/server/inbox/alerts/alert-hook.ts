// Sends messages to the chat tools of workspaces, by the rules of the webhooks of bots: one checked address, no redirects.
import type { AlertProblem } from '../../../protocol/types/inbox.ts';
import { ApiError } from '../../api/errors.ts';
import { readRetryAfter } from '../../api/outgoing-requests.ts';
import { timestamp } from '../../api/serializers.ts';
import { type Addresses, isPrivateAllowed, PostFailure, post } from '../../bots/index.ts';

/** Milliseconds that a chat tool may take. */
const timeLimitMs = 10_000;
/** The longest wait that it can ask for (`Retry-After`). */
const maxWaitMs = 60 * 60_000;

export interface HookOutcome {
  /** Why it failed; undefined if it was accepted. */
  problem?: AlertProblem;
  /** Whether another attempt cannot succeed. */
  isFinal: boolean;
  /** Milliseconds until the next attempt, at least. */
  wait: number;
}

export interface AlertHook {
  /** Throws InvalidPayload for an address that messages are not sent to. */
  assertUrl(workspaceId: string, url: string): void;
  /** Sends a message. Throws the reason of `signal` when it is aborted. */
  send(request: {
    workspaceId: string;
    url: string;
    body: object;
    signal: AbortSignal;
  }): Promise<HookOutcome>;
}

export function createAlertHook(
  addressesOf: (workspaceId: string) => Addresses,
  now: () => number,
): AlertHook {
  const failed = (problem: Omit<AlertProblem, 'at'>, isFinal = false, wait = 0): HookOutcome => ({
    problem: { at: timestamp(now()), ...problem },
    isFinal,
    wait,
  });
  return {
    assertUrl(workspaceId, url) {
      const { protocol, hostname } = new URL(url);
      const addresses = addressesOf(workspaceId);
      if (protocol !== 'https:' && !isPrivateAllowed(addresses))
        throw new ApiError('InvalidPayload', 'url: Expected an address that begins with https://.');
      try {
        addresses.assertHost(hostname);
      } catch {
        throw new ApiError('InvalidPayload', 'url: This server does not send to this address.');
      }
    },
    async send({ workspaceId, url, body, signal }) {
      try {
        const { status, retryAfter } = await post({
          url,
          headers: { 'content-type': 'application/json', 'user-agent': 'platform-webchat' },
          body: JSON.stringify(body),
          addresses: addressesOf(workspaceId),
          timeLimit: timeLimitMs,
          signal,
        });
        if (status >= 200 && status < 300) return { isFinal: false, wait: 0 };
        const isBusy = [408, 425, 429].includes(status) || status >= 500;
        const wait = Math.min(readRetryAfter(retryAfter, now()) ?? 0, maxWaitMs);
        return failed({ reason: 'status', status }, !isBusy, wait);
      } catch (error) {
        if (!(error instanceof PostFailure)) throw error;
        // The message has arrived: nobody reads the response.
        if (error.reason === 'answer_too_large') return { isFinal: false, wait: 0 };
        const { reason, status } = error;
        return failed({ reason, ...(status !== undefined && { status }) }, reason.startsWith('address_'));
      }
    },
  };
}
