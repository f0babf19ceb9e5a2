// Which events this process may deliver. A server that is one process delivers all of them; of several processes, each
// claims an event before its handler runs (docs/decisions/archive/0067-claims-of-bot-events.md).
import type { Logger } from 'pino';
import { publish } from '../../startup/events.ts';
import { type BotRow, botById } from '../../storage/bots/bots.ts';
import {
  beginDelivery,
  conversationsDue,
  type DeliveryRow,
  deliveryStates,
  nextDelivery,
  nextDue,
  releaseDeliveries,
} from '../../storage/bots/deliveries.ts';
import { isOwned } from '../../storage/bots/delivery-claims.ts';
import type { Database, Tx, WriteTx } from '../../storage/database.ts';
import type { LockName } from '../../storage/locks.ts';
import { createDeliveryScheduler, type DeliveryScheduler, type DuePoll } from '../webhooks/scheduler.ts';

/** The states of events that may become due. */
export const polledStates = [deliveryStates.pending, deliveryStates.deferred] as const;

/**
 * Events in the life of claims: `lease_lost`: the process was frozen or cut off; `taken_over`: an event of a process
 * that has ended; `stranded`: an event that this process owned without handling it, which must not happen.
 */
export type ClaimChange = 'lease_lost' | 'taken_over' | 'stranded';

/** An event to deliver, and its bot, unless that was deleted. */
export type NextEvent = DeliveryRow & { bot: BotRow | undefined };

export interface Claims {
  readonly isShared: boolean;
  /**
   * The stored owner of an event: the lease of this process; null in a server that is one process; undefined
   * while this process has no lease, and must not begin an event.
   */
  owner(): string | null | undefined;
  /** The clock of due times in milliseconds since 1970: that of the database, if several processes share it. */
  now(): number;
  readonly scheduler: DeliveryScheduler;
  /**
   * The event of a conversation to deliver now; undefined when there is none, or not for this process. `isNew`: other
   * processes do not know it yet, so the one that handles the conversation is notified.
   */
  next(conversationId: string, isNew: boolean): Promise<NextEvent | undefined>;
  /** Counts an attempt at the event. Returns false when it was deleted, or when another process is to handle it. */
  begin(delivery: DeliveryRow): Promise<boolean>;
  /** Gives up an event that was claimed when it was written. */
  release(delivery: DeliveryRow): Promise<void>;
  /**
   * Tells the other processes that this one does not deliver the events of a conversation. `botId`: because it has no free
   * slot for this bot.
   */
  notifyOtherProcesses(conversationId: string, botId?: string): void;
  start(): Promise<void>;
  /** Gives up all events. The scheduler has to be closed before. */
  close(): Promise<void>;
}

export interface ClaimsOptions {
  db: Database;
  logger: Logger;
  now(): number;
  /**
   * A conversation has an event that this process may deliver: the poll or a message of another process has reported
   * it.
   */
  wake(conversationId: string): void;
  /** Another process has no free slot for an event of this bot. */
  wakeForSlot(conversationId: string, botId: string): void;
  /** Whether this process handles the conversation, or has queued it. */
  isKnown(conversationId: string): boolean;
  /** Other processes may handle the events of this one: handlers must end. */
  onLost(): void;
}

/** The claims of a server that is one process: none is stored. */
export function createSoleClaims({ db, logger, now, wake }: ClaimsOptions): Claims {
  /** Each due time is met once. */
  const poll: DuePoll = async (after, at) => {
    const times: number[] = [];
    for (const state of polledStates) {
      for (const id of await db.read((tx) => conversationsDue(tx, state, after, at))) wake(id);
      const next = await db.read((tx) => nextDue(tx, state, at));
      if (next !== undefined) times.push(next);
    }
    return Math.min(...times);
  };
  const scheduler = createDeliveryScheduler({ db, logger, now, poll });
  return {
    isShared: false,
    owner: () => null,
    now,
    scheduler,
    next: (conversationId) => db.read((tx) => nextEvent(tx, conversationId, now())),
    begin: ({ eventId }) => begins(db.write((tx) => beginDelivery(tx, eventId))),
    async release() {},
    notifyOtherProcesses() {},
    async start() {
      // Several processes may have used the database before it was moved here.
      await db.write(releaseDeliveries);
      await scheduler.start();
    },
    async close() {},
  };
}

export const begins = async (row: Promise<DeliveryRow | undefined>): Promise<boolean> =>
  (await row) !== undefined;

/** The event of a conversation to deliver at this time. */
export async function nextEvent(tx: Tx, conversationId: string, now: number): Promise<NextEvent | undefined> {
  const delivery = await nextDelivery(tx, conversationId, now);
  return delivery && { ...delivery, bot: await botById(tx, delivery.botId) };
}

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

/**
 * Returns the condition of every write of a handler: its process still owns the event, which was not deleted with its message
 * or conversation. A process that was frozen or cut off for longer than its lease writes nothing afterwards, and neither does a
 * handler whose message was superseded just before.
 */
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
