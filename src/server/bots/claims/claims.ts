// Which events this process may deliver. A server that is one process delivers all of them; of several processes, each
// claims an event before its handler runs (docs/decisions/archive/0067-claims-of-bot-events.md).
import type { Logger } from 'pino';
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
import type { Database, Tx } from '../../storage/database.ts';
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
   * What is stored as the owner of an event: the lease of this process; null in a server that is one process; undefined
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
