// Stores that events were handled: in a remote database together with those that end at the same time, and with the beginning of
// those that follow them.
import { type DeliveryRow, deleteDelivery } from '../../storage/bots/deliveries.ts';
import { type EndedEvent, endDeliveries } from '../../storage/bots/delivery-groups.ts';
import type { Database } from '../../storage/database.ts';
import { createGroups, withoutFaultOfOthers } from '../../storage/groups.ts';
import type { WrittenEvents } from './written-events.ts';

/** The event to end, and the process that handles it. */
type Ended = Pick<DeliveryRow, 'eventId' | 'conversationId' | 'owner'>;

/**
 * Returns a function that deletes an event which was handled, unless it was deleted or taken over meanwhile. It also counts
 * the attempt at the first event of the conversation that `written` holds, which is begun next: so that needs no statement.
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
    // What another transaction has locked is left out.
    if (!result?.isDeleted) await endAlone({ eventId, conversationId, owner });
  };
}
