// Waits until a condition is true by evaluating it repeatedly: used by every test that Playwright does not run.
import { setTimeout as pause } from 'node:timers/promises';

interface PollOptions {
  /** Milliseconds after which the condition counts as failed. */
  timeoutMs?: number;
  /** Milliseconds between two attempts. */
  intervalMs?: number;
}

type Outcome<T> = T | false | undefined;

/**
 * Returns the first result of `condition` that is neither false nor undefined.
 * @throws on a timeout; the message contains `description`.
 */
export async function pollUntil<T>(
  description: string,
  condition: () => Outcome<T> | Promise<Outcome<T>>,
  { timeoutMs = 45_000, intervalMs = 20 }: PollOptions = {},
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const result = await condition();
    if (result !== false && result !== undefined) return result;
    if (Date.now() > deadline) throw new Error(`Timed out after ${timeoutMs} ms: ${description}`);
    await pause(intervalMs);
  }
}
