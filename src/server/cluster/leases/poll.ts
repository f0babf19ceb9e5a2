// Finds the conversations with events to deliver that no process handles. Wake-ups of other processes can be lost, so the poll
// decides.
import { setImmediate } from 'node:timers/promises';
import { type DuePoll, polledStates } from '../../bots/index.ts';
import type { DeliveryState } from '../../storage/bots/deliveries.ts';
import {
  abandoningOwners,
  type FreeEvent,
  freeEvents,
  ownedConversations,
  type PollPosition,
} from '../../storage/bots/delivery-claims.ts';
import type { Database } from '../../storage/database.ts';

interface SharedPollOptions {
  db: Database;
  wake(conversationId: string): void;
  owner(): string | undefined;
  /** Whether the conversation waits for this process already: it is handled, or waits for a slot of its bot. */
  isKnown(conversationId: string): boolean;
  /** The number of running claims. */
  claiming(): number;
  /** Called with the number of events that this process owned without handling them. Must stay 0. */
  onStranded(count: number): void;
}

/** Events that one statement of a poll reads. */
const pageSize = 1_000;
/** Statements of one poll while they find nothing to wake. A longer queue is read on by the next poll. */
const maxPages = 10;
/**
 * A poll wakes conversations only up to this number of running claims, so that processes that find the same
 * conversations rarely collide.
 */
const wakeSize = 50;
/** Milliseconds until the next poll if there were more. */
const wakeIntervalMs = 50;
/** Milliseconds between two searches for events that this process owns without handling them. */
const searchIntervalMs = 60_000;

const start: PollPosition = { dueAt: -1, conversationId: '', seq: -1 };

/** The poll of one of several processes. It runs each second, and finds what is due and nobody handles. */
export function createSharedPoll(options: SharedPollOptions): DuePoll {
  const { db, wake, owner, isKnown, claiming, onStranded } = options;
  const positions = new Map<DeliveryState, PollPosition>(polledStates.map((state) => [state, start]));
  let searchedAt = Number.NEGATIVE_INFINITY;
  /** Owned conversations that were not handled at the last search. Between a commit and its effects, one may be. */
  let suspected = new Set<string>();

  async function search(current: string): Promise<void> {
    const idle = (await db.read((tx) => ownedConversations(tx, current))).filter((id) => !isKnown(id));
    const stranded = idle.filter((id) => suspected.has(id));
    suspected = new Set(idle);
    if (stranded.length > 0) onStranded(stranded.length);
    for (const id of stranded) wake(id);
  }

  /** Reads on after a position until there is something to wake. Returns where the next poll goes on. */
  async function readOn(
    from: PollPosition,
    found: Set<string>,
    read: (after: PollPosition) => Promise<FreeEvent[]>,
  ): Promise<PollPosition> {
    let after = from;
    for (let page = 0; page < maxPages; page += 1) {
      const events = await read(after);
      for (const { conversationId, isNext } of events)
        if (isNext === 1 && !isKnown(conversationId)) found.add(conversationId);
      const last = events.length === pageSize ? events.at(-1) : undefined;
      after = last ?? start;
      if (!last || found.size >= wakeSize) break;
      await setImmediate();
    }
    return after;
  }

  /** The conversations with an event in this state that is due, and for which nobody is responsible. */
  async function findFree(state: DeliveryState, at: number): Promise<Set<string>> {
    const found = new Set<string>();
    const read = (after: PollPosition, abandoned?: string) =>
      db.read((tx) => freeEvents(tx, state, at, { after, limit: pageSize, owner: abandoned }));
    for (const abandoned of await db.read((tx) => abandoningOwners(tx, state)))
      await readOn(start, found, (after) => read(after, abandoned));
    positions.set(state, await readOn(positions.get(state) ?? start, found, (after) => read(after)));
    return found;
  }

  return async (_, at) => {
    const current = owner();
    if (current === undefined) return Number.POSITIVE_INFINITY;
    let next = Number.POSITIVE_INFINITY;
    for (const state of polledStates) {
      // In another order than other processes.
      const unknown = shuffled([...(await findFree(state, at))]);
      const free = Math.max(0, wakeSize - claiming());
      for (const conversationId of unknown.slice(0, free)) wake(conversationId);
      if (unknown.length > free) next = at + wakeIntervalMs;
      await setImmediate();
    }
    if (at - searchedAt >= searchIntervalMs || at < searchedAt) {
      searchedAt = at;
      await search(current);
    }
    return next;
  };
}

function shuffled<T>(items: readonly T[]): T[] {
  const result = [...items];
  for (let n = result.length - 1; n > 0; n -= 1) {
    const other = Math.floor(Math.random() * (n + 1));
    [result[n], result[other]] = [result[other] as T, result[n] as T];
  }
  return result;
}
