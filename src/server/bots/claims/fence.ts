// The condition of every write of a handler: its process still owns the event, which was not deleted with its message or
// conversation. A process that was frozen or cut off for longer than its lease writes nothing afterwards, and neither does a
// handler whose message was superseded just before.
import { publish } from '../../startup/events.ts';
import { type DeliveryRow, deliveryStates } from '../../storage/bots/deliveries.ts';
import { isOwned } from '../../storage/bots/delivery-claims.ts';
import type { Tx, WriteTx } from '../../storage/database.ts';
import type { LockName } from '../../storage/locks.ts';

/** The write of a handler whose event another process handles, or was deleted. Nothing was stored. */
export class EventLost extends Error {
  override name = 'EventLost';

  constructor() {
    super('The event is not handled here any more: the lease was lost, or the event was deleted.');
  }
}

export interface Fence {
  /** The event, if the process that handles it is checked. */
  readonly event: Pick<DeliveryRow, 'eventId' | 'conversationId' | 'owner'> | undefined;
  /** True when nobody has handled the event before, so that none of its replies exists. */
  readonly isFirstAttempt: boolean;
  /** Whether the event is handled by another process, or was deleted. */
  isLost(tx: Tx): Promise<boolean>;
  /** Throws EventLost unless the event is owned. To be called in a work that has changed the conversation. */
  check(tx: WriteTx): Promise<void>;
  /** Takes the lock of the conversation and these locks, then checks. To be called before a work writes. */
  hold(tx: WriteTx, ...locks: LockName[]): Promise<void>;
}

export function createFence(delivery: DeliveryRow): Fence {
  const { owner, conversationId, attempts, state } = delivery;
  const isLost = async (tx: Tx) => !(await isOwned(tx, delivery));
  const check = async (tx: WriteTx) => {
    if (!(await isLost(tx))) return;
    // Its metric is about other processes.
    if (owner !== null) publish('fenced', { kind: 'bot_event' });
    throw new EventLost();
  };
  return {
    event: owner === null ? undefined : delivery,
    // A dead letter that was revived is deferred. It may have been answered in part.
    isFirstAttempt: owner !== null && attempts === 1 && state === deliveryStates.pending,
    isLost,
    check,
    async hold(tx, ...locks) {
      // In a server that is one process, nobody else claims the event.
      if (owner !== null) await tx.lock(`conversation:${conversationId}`, ...locks);
      await check(tx);
    },
  };
}
