// Stores that events were handled: on PostgreSQL together with those that end at the same time.
import { type DeliveryRow, deleteDelivery } from '../../storage/bots/deliveries.ts';
import { deleteDeliveries } from '../../storage/bots/delivery-groups.ts';
import type { Database } from '../../storage/database.ts';
import { createGroups, withoutFaultOfOthers } from '../../storage/groups/groups.ts';

/** The event to end, by its id, and the process that handles it. */
type Ended = Pick<DeliveryRow, 'eventId' | 'owner'>;

/** Returns a function that deletes an event which was handled, unless it was deleted or taken over meanwhile. */
export function createEventEnds(db: Database): (delivery: Ended) => Promise<void> {
  const endAlone = async (delivery: Ended) => void (await db.write((tx) => deleteDelivery(tx, delivery)));
  if (db.dialect !== 'postgres') return endAlone;

  const endTogether = createGroups(
    (deliveries: Ended[]) =>
      withoutFaultOfOthers(deliveries, async () => {
        const deleted = await db.write((tx) => deleteDeliveries(tx, deliveries));
        return deliveries.map(({ eventId }) => deleted.has(eventId));
      }),
    { weigh: () => 0, maxRunning: 1 },
  );
  return async (delivery) => {
    // What another transaction has locked is left out.
    if (!(await endTogether(delivery))) await endAlone(delivery);
  };
}
