// Work of requests to sign in that is done after the response, so that the response time does not reveal whether an e-mail
// address belongs to a member.
import { setImmediate } from 'node:timers/promises';
import type { Logger } from 'pino';

export interface Background {
  /** Does the work after the response. Its errors are logged. */
  add(work: () => Promise<void>): void;
  /** Resolves when all work is done. */
  close(): Promise<void>;
}

/**
 * Creates the background work of a process. It is in memory. Each request waits for a write of its own before it adds work, so
 * that little work waits if the database is slow.
 */
export function createBackground(logger: Logger): Background {
  const pending = new Set<Promise<void>>();

  async function run(work: () => Promise<void>): Promise<void> {
    try {
      await setImmediate();
      await work();
    } catch (error) {
      logger.error({ err: error }, 'the background work of a sign-in failed');
    }
  }

  return {
    add(work) {
      const running = run(work).finally(() => pending.delete(running));
      pending.add(running);
    },
    async close() {
      while (pending.size > 0) await Promise.all(pending);
    },
  };
}
