// Gathers requests that come at the same time, so that one transaction stores them.
import { publish } from '../../diagnostics/events.ts';
import { isOfDatabase } from '../database.ts';

/** The requests of a group at most: larger ones only take longer. */
const defaultMaxSize = 512;
/** Milliseconds that a request waits for others, while another group is under way. */
const defaultGatherTime = 2;
/** Groups that are under way at once: one is gathered and sent while the other one is committed. */
const defaultMaxRunning = 2;
/** The weight of a group at most, unless one entry alone is heavier. */
const maxWeight = 2_000_000;

interface Waiting<Entry, Result> {
  entry: Entry;
  /** When it was added, by a monotonic clock. */
  at: number;
  weight: number;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * Returns a function that runs an entry together with others. `run` gets the entries of a group in the order of their
 * calls, and returns their results in this order; when it rejects, all of them do. `weigh`: the bytes of an entry. A single
 * entry is not delayed: only while a group is under way, others wait for company: for `gatherTime` milliseconds, or
 * until less than `maxRunning` groups are under way.
 */
export function createGroups<Entry, Result>(
  run: (entries: Entry[]) => Promise<Result[]>,
  {
    weigh,
    maxSize = defaultMaxSize,
    gatherTime = defaultGatherTime,
    maxRunning = defaultMaxRunning,
  }: { weigh(entry: Entry): number; maxSize?: number; gatherTime?: number; maxRunning?: number },
): (entry: Entry) => Promise<Result> {
  const waiting: Waiting<Entry, Result>[] = [];
  let running = 0;
  let isScheduled = false;

  function schedule(): void {
    if (isScheduled || running >= maxRunning || waiting.length === 0) return;
    isScheduled = true;
    if (running === 0 || gatherTime === 0 || waiting.length >= maxSize) setImmediate(start);
    else setTimeout(start, gatherTime);
  }

  function start(): void {
    isScheduled = false;
    let weight = 0;
    let size = 0;
    for (const { weight: more } of waiting) {
      if (size === maxSize || (size > 0 && weight + more > maxWeight)) break;
      weight += more;
      size += 1;
    }
    const group = waiting.splice(0, size);
    publish('group', { size, waitMs: performance.now() - (group[0]?.at ?? 0) });
    running += 1;
    run(group.map(({ entry }) => entry))
      .then(
        (results) => {
          for (const [n, { resolve }] of group.entries()) resolve(results[n] as Result);
        },
        (error: unknown) => {
          for (const { reject } of group) reject(error);
        },
      )
      .finally(() => {
        running -= 1;
        schedule();
      });
    schedule();
  }

  return (entry) =>
    new Promise((resolve, reject) => {
      waiting.push({ entry, at: performance.now(), weight: weigh(entry), resolve, reject });
      schedule();
    });
}

/**
 * Runs a group whose entries can also run alone. When it fails for another reason than the database, no entry has a result,
 * which is undefined then: the fault of one must not be that of the others. A failure of the database rejects.
 */
export async function withoutFaultOfOthers<Entry, Result>(
  entries: readonly Entry[],
  run: () => Promise<Result[]>,
): Promise<(Result | undefined)[]> {
  try {
    return await run();
  } catch (error) {
    if (isOfDatabase(error)) throw error;
    return entries.map(() => undefined);
  }
}
