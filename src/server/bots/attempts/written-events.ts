// Events of messages that this process has claimed when it wrote them, and has not begun. Their first attempt is counted when
// they are, or with the end of the event before.
import type { WrittenEvent } from '../../chat/index.ts';
import { type DeliveryRow, deleteDelivery } from '../../storage/bots/deliveries.ts';
import {
  type ClaimedEvent,
  type EndedEvent,
  endDeliveries,
  findClaimed,
} from '../../storage/bots/delivery-groups.ts';
import type { Database, Tx } from '../../storage/database.ts';
import { createGroups, createReads, withoutFaultOfOthers } from '../../storage/groups.ts';

export interface WrittenEvents {
  /** Adds an event after all others of its conversation. */
  add(written: WrittenEvent): void;
  /** Removes and returns the first event of a conversation. */
  takeFirst(conversationId: string): WrittenEvent | undefined;
  /** Removes an event. Returns whether it was there. */
  take(conversationId: string, eventId: string): boolean;
  /** The id of the first event of a conversation, if `owner` has claimed it and its attempt is not counted. */
  firstUncounted(conversationId: string, owner: string | null): string | undefined;
  /** The first attempt at an event is counted. */
  setCounted(conversationId: string, eventId: string): void;
  /** Puts back what `takeFirst` has removed. */
  putBack(written: WrittenEvent): void;
  /** How many events of a conversation there are. */
  count(conversationId: string): number;
  /** Removes the first events of a conversation, all of them by default, and returns them. */
  drop(conversationId: string, count?: number): WrittenEvent[];
  /** The lease was lost: this process has claimed nothing. */
  clear(): void;
}

export function createWrittenEvents(): WrittenEvents {
  const queues = new Map<string, WrittenEvent[]>();

  function drop(conversationId: string, count = Number.POSITIVE_INFINITY): WrittenEvent[] {
    const queue = queues.get(conversationId) ?? [];
    const dropped = queue.splice(0, count);
    if (queue.length === 0) queues.delete(conversationId);
    return dropped;
  }

  function queueOf(conversationId: string): WrittenEvent[] {
    const queue = queues.get(conversationId) ?? [];
    queues.set(conversationId, queue);
    return queue;
  }

  return {
    add: (written) => void queueOf(written.conversation.id).push(written),
    takeFirst: (conversationId) => drop(conversationId, 1)[0],
    take(conversationId, eventId) {
      const queue = queues.get(conversationId) ?? [];
      const place = queue.findIndex(({ delivery }) => delivery.eventId === eventId);
      if (place === -1) return false;
      queue.splice(place, 1);
      if (queue.length === 0) queues.delete(conversationId);
      return true;
    },
    firstUncounted(conversationId, owner) {
      const delivery = queues.get(conversationId)?.[0]?.delivery;
      return delivery?.attempts === 0 && delivery.owner === owner ? delivery.eventId : undefined;
    },
    setCounted(conversationId, eventId) {
      const queue = queues.get(conversationId) ?? [];
      const place = queue.findIndex(({ delivery }) => delivery.eventId === eventId);
      const found = queue[place];
      if (found) queue[place] = withAttempt(found);
    },
    putBack: (written) => void queueOf(written.conversation.id).unshift(written),
    count: (conversationId) => queues.get(conversationId)?.length ?? 0,
    drop,
    clear: () => queues.clear(),
  };
}

/** The event after its first attempt was counted. */
export const withAttempt = (written: WrittenEvent): WrittenEvent => ({
  ...written,
  delivery: { ...written.delivery, attempts: 1 },
});

/**
 * Returns a function that reads again what may have changed since an event was written, which followed others of its
 * conversation: the handlers of these, and other requests, have written since. Undefined if more has changed than it reads.
 * Several events are read together.
 */
export function createRereading(db: Database): (written: WrittenEvent) => Promise<WrittenEvent | undefined> {
  const readAll = async (tx: Tx, events: readonly WrittenEvent[]) => {
    const found = new Map<string, ClaimedEvent>();
    for (const owner of new Set(events.map(({ delivery }) => delivery.owner))) {
      const ids = events.flatMap(({ delivery }) => (delivery.owner === owner ? [delivery.eventId] : []));
      if (owner === null) continue;
      for (const one of await findClaimed(tx, ids, owner)) found.set(one.eventId, one);
    }
    return events.map(({ delivery }) => found.get(delivery.eventId));
  };
  const read = createReads(db, readAll, async () => undefined);
  return async (written) => {
    const found = await read(written);
    if (!found || found.messageUpdatedAt !== null || found.user.id !== written.user.id) return undefined;
    // Its requests wait for a slot, and have an own order of attempts.
    if (found.bot.webhookUrl !== null) return undefined;
    const { bot, user, extras } = found;
    return {
      ...written,
      bot,
      user,
      extras,
      conversation: { ...written.conversation, ...found.conversation },
    };
  };
}

/** The event to end, and the process that handles it. */
type Ended = Pick<DeliveryRow, 'eventId' | 'conversationId' | 'owner'>;

/**
 * Returns a function that deletes an event which was handled, unless it was deleted or taken over meanwhile. It also counts the
 * attempt at the first event of the conversation that `written` holds, which is begun next: so that needs no statement. In a
 * remote database, events that end at the same time are stored together.
 */
export function createEventEnds(
  db: Database,
  written: Pick<WrittenEvents, 'firstUncounted' | 'setCounted'>,
): (delivery: Ended) => Promise<void> {
  const endAlone = async (delivery: Ended) => void (await db.write((tx) => deleteDelivery(tx, delivery)));
  if (!db.isRemote) return endAlone;

  const endTogether = createGroups(
    (ends: EndedEvent[]) =>
      withoutFaultOfOthers(ends, async () => {
        const changed = await db.write((tx) => endDeliveries(tx, ends));
        return ends.map(({ eventId, next }) => ({
          isDeleted: changed.has(eventId),
          isNextCounted: next !== undefined && changed.has(next),
        }));
      }),
    { weigh: () => 0, maxRunning: 1 },
  );
  return async ({ eventId, conversationId, owner }) => {
    const next = written.firstUncounted(conversationId, owner);
    const result = await endTogether({ eventId, owner, next });
    if (next !== undefined && result?.isNextCounted) written.setCounted(conversationId, next);
    // Rows that another transaction has locked are left out.
    if (!result?.isDeleted) await endAlone({ eventId, conversationId, owner });
  };
}
