// Warns if live processes run different code of bots for longer than a rolling restart takes. This is a mistake,
// because any process may handle the next event of a conversation.
import type { Logger } from 'pino';
import type { LiveProcess } from '../../storage/cluster/processes.ts';

/** Milliseconds in which a rolling restart ends. */
const defaultToleranceMs = 5 * 60 * 1000;

export interface BotCodeCheck {
  /** Compares the processes that are alive. Call it every few seconds. */
  check(live: readonly LiveProcess[]): void;
  /** The number of versions of the code of bots that run, at least 1. */
  readonly versions: number;
}

/**
 * `self`: the id of this process. Only the process with the first id warns, once for each set of versions. `tolerance`:
 * milliseconds, by default 5 minutes.
 */
export function createBotCodeCheck(
  self: string,
  logger: Logger,
  tolerance = defaultToleranceMs,
): BotCodeCheck {
  let versions = 1;
  /** The versions that run, since when they run, and whether this was reported. */
  let difference: { codes: string; since: number; isReported: boolean } | undefined;

  return {
    check(live) {
      const codes = [...new Set(live.flatMap(({ botCode }) => botCode ?? []))].sort();
      versions = Math.max(1, codes.length);
      if (codes.length < 2) {
        difference = undefined;
        return;
      }
      const now = performance.now();
      // Time in which the processes change one after the other is part of a rolling restart, too.
      difference ??= { codes: '', since: now, isReported: false };
      if (difference.codes !== codes.join() && difference.isReported)
        difference = { codes: '', since: now, isReported: false };
      difference.codes = codes.join();
      if (difference.isReported || now - difference.since < tolerance) return;
      difference.isReported = true;
      if (live[0]?.id !== self) return;
      logger.warn(
        { processes: live.map(({ id, version, botCode }) => ({ id, version, botCode })) },
        'the processes run different code of bots: update those with the older one',
      );
    },
    get versions() {
      return versions;
    },
  };
}
