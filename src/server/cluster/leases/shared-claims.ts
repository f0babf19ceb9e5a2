// The claims of one of several processes on the same database.
import {
  begins,
  type ClaimChange,
  type Claims,
  type ClaimsOptions,
  createDeliveryScheduler,
  nextEvent,
} from '../../bots/index.ts';
import { claimDelivery, otherOwner, releaseDelivery } from '../../storage/bots/delivery-claims.ts';
import type { SharedBroadcasts } from '../relay/broadcasts.ts';
import { createSharedPoll } from './poll.ts';
import { createProcessLease } from './process-lease.ts';

/** Milliseconds between two polls. */
const defaultPollIntervalMs = 1_000;

/** How several processes share the events of bots. */
export interface SharedEvents {
  /** Milliseconds that the events of a process without a sign of life stay with it; the default is 15,000. */
  lease?: number | undefined;
  /** Milliseconds between two polls for events that nobody handles; the default is 1,000. */
  poll?: number | undefined;
}

export interface SharedClaimsOptions extends ClaimsOptions {
  broadcasts: Pick<SharedBroadcasts, 'elsewhere'>;
  times?: SharedEvents | undefined;
  /** Called with the number of events, or 1. */
  onChange?: ((change: ClaimChange, count: number) => void) | undefined;
}

export function createSharedClaims(options: SharedClaimsOptions): Claims {
  const { db, logger, broadcasts, times = {}, wake, isKnown, onChange } = options;
  let claiming = 0;
  const lease = createProcessLease({
    db,
    logger,
    duration: times.lease,
    onLost() {
      onChange?.('lease_lost', 1);
      options.onLost();
    },
    onRenewed: () => scheduler.schedule(lease.now()),
  });
  const poll = createSharedPoll({
    db,
    wake,
    owner: lease.owner,
    isKnown,
    claiming: () => claiming,
    onStranded(count) {
      logger.error({ count }, 'bot events had an owner that did not handle them');
      onChange?.('stranded', count);
    },
  });
  const maxSleep = times.poll ?? defaultPollIntervalMs;
  const scheduler = createDeliveryScheduler({ db, logger, now: lease.now, poll, maxSleep });

  /** `owner`: the lease of the process that is to act; null for all others. */
  const notifyProcesses = broadcasts.elsewhere(
    'deliverBotEvents',
    (conversationId: string, owner: string | null) => {
      if (owner === null || owner === lease.owner()) wake(conversationId);
    },
  );
  const notifyFullSlots = broadcasts.elsewhere('deliverToWebhook', options.wakeForSlot);
  const notifyRelease = broadcasts.elsewhere('pollBotEvents', () => scheduler.schedule(lease.now()));

  return {
    isShared: true,
    owner: lease.owner,
    now: lease.now,
    scheduler,
    async next(conversationId, isNew) {
      const owner = lease.owner();
      if (owner === undefined) {
        if (isNew) notifyProcesses(conversationId, null);
        return undefined;
      }
      const found = await db.read(async (tx) => {
        const next = await nextEvent(tx, conversationId, lease.now());
        return next && { next, other: await otherOwner(tx, conversationId, owner) };
      });
      if (found?.other === undefined) return found?.next;
      if (isNew) notifyProcesses(conversationId, found.other);
      return undefined;
    },
    async begin(delivery) {
      const owner = lease.owner();
      if (owner === undefined) return false;
      claiming += 1;
      const isBegun = await begins(db.write((tx) => claimDelivery(tx, delivery, owner))).finally(() => {
        claiming -= 1;
      });
      if (isBegun && delivery.owner !== null && delivery.owner !== owner) onChange?.('taken_over', 1);
      return isBegun;
    },
    release: (delivery) => db.write((tx) => releaseDelivery(tx, delivery)),
    notifyOtherProcesses(conversationId, botId) {
      if (botId === undefined) notifyProcesses(conversationId, null);
      else notifyFullSlots(conversationId, botId);
    },
    async start() {
      await lease.start();
      await scheduler.start();
    },
    async close() {
      await lease.close();
      notifyRelease();
    },
  };
}
