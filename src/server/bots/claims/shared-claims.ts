// The claims of one of several processes on the same database.
import type { Broadcasts } from '../../cluster/relay/broadcasts.ts';
import { claimDelivery, otherOwner, releaseDelivery } from '../../storage/bots/delivery-claims.ts';
import { createId } from '../../storage/ids.ts';
import type { ClaimChange, SharedEvents } from '../attempts/runner-interface.ts';
import { createDeliveryScheduler } from '../webhooks/scheduler.ts';
import { begins, type Claims, type ClaimsOptions, nextEvent } from './claims.ts';
import { createSharedPoll } from './polls.ts';
import { createProcessLease } from './process-lease.ts';

/** Milliseconds between two polls. */
const defaultPollIntervalMs = 1_000;

export interface SharedClaimsOptions extends ClaimsOptions {
  broadcasts: Broadcasts;
  shared: SharedEvents;
  /** Another process has no free slot for an event of this bot. */
  wakeForSlot(conversationId: string, botId: string): unknown;
  /** Whether this process handles the conversation, or has queued it. */
  isKnown(conversationId: string): boolean;
  /** The lease was lost: handlers must end. */
  onLost(): void;
  onChange?: ((change: ClaimChange, count: number) => void) | undefined;
}

export function createSharedClaims(options: SharedClaimsOptions): Claims {
  const { db, logger, broadcasts, shared, wake, isKnown, onChange } = options;
  /** This process, whatever its lease. */
  const self = createId('lease');
  let claiming = 0;
  const lease = createProcessLease({
    db,
    logger,
    duration: shared.lease,
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
  const maxSleep = shared.poll ?? defaultPollIntervalMs;
  const scheduler = createDeliveryScheduler({ db, logger, now: lease.now, poll, maxSleep });

  /** `owner`: the lease of the process that is to act; null for all others. */
  const tell = broadcasts.everywhere(
    'deliverBotEvents',
    (conversationId: string, owner: string | null, sender: string) => {
      if (sender !== self && (owner === null || owner === lease.owner())) wake(conversationId);
    },
  );
  const tellOfFullSlots = broadcasts.everywhere(
    'deliverToWebhook',
    (conversationId: string, botId: string, sender: string) => {
      if (sender !== self) options.wakeForSlot(conversationId, botId);
    },
  );
  const tellOfRelease = broadcasts.everywhere('pollBotEvents', (sender: string) => {
    if (sender !== self) scheduler.schedule(lease.now());
  });

  return {
    isShared: true,
    owner: lease.owner,
    now: lease.now,
    scheduler,
    async next(conversationId, isNew) {
      const owner = lease.owner();
      if (owner === undefined) {
        if (isNew) tell(conversationId, null, self);
        return undefined;
      }
      const found = await db.read(async (tx) => {
        const next = await nextEvent(tx, conversationId, lease.now());
        return next && { next, other: await otherOwner(tx, conversationId, owner) };
      });
      if (found?.other === undefined) return found?.next;
      if (isNew) tell(conversationId, found.other, self);
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
      if (botId === undefined) tell(conversationId, null, self);
      else tellOfFullSlots(conversationId, botId, self);
    },
    async start() {
      await lease.start();
      await scheduler.start();
    },
    async close() {
      await lease.close();
      tellOfRelease(self);
    },
  };
}
