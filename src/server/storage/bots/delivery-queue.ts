// SQL of the length of the queue of all bots.
import type { Tx } from '../database.ts';
import { deliveryStates } from './delivery-states.ts';

/**
 * The number of pending events, and when the oldest of them was created. Both are of the first `limit` events, so that a
 * long queue is not read to its end.
 */
export async function queuedDeliveries(
  tx: Tx,
  limit: number,
): Promise<{ count: number; oldest: number | undefined }> {
  const free = await tx.all<{ createdAt: number }>(
    `SELECT created_at FROM deliveries WHERE state = '${deliveryStates.pending}' AND owner IS NULL
     ORDER BY due_at LIMIT ?`,
    limit,
  );
  const owned = await tx.all<{ at: number }>(
    `SELECT created_at AS at FROM deliveries WHERE state = '${deliveryStates.pending}' AND owner IS NOT NULL
     ORDER BY owner LIMIT ?`,
    limit - free.length,
  );
  const times = [...free.map(({ createdAt }) => createdAt), ...owned.map(({ at }) => at)];
  const oldest = times.reduce((earliest, time) => Math.min(earliest, time), Number.MAX_SAFE_INTEGER);
  return { count: times.length, oldest: times.length > 0 ? oldest : undefined };
}
