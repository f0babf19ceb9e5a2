// How unit and contract tests wait for a condition. End-to-end tests outside of Playwright use e2e/support/poll.ts.
import { vi } from 'vitest';

/** For `expect.poll` and `vi.waitFor`: a long timeout, because the machine may be busy. */
export const pollOptions = { timeout: 60_000, interval: 20 };

/** Waits until the assertion holds. */
export const waitFor = <T>(assertion: () => T | Promise<T>): Promise<T> => vi.waitFor(assertion, pollOptions);
