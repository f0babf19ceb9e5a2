// Limits concurrent webhook requests of this process in total and per bot, with a fair queue between bots. Several processes
// have the sum of their slots, because each of them can deliver each event (decision 175). A bot whose last request failed
// gets fewer slots, so that it does not use up those of others. The queue holds ids only, so it can be long.
// Why not `p-queue` or `bottleneck`: they have no turns between bots, and hold a function for each event (decision 152).
export interface ConcurrencyLimiter {
  /**
   * True when the conversation acquired a slot, which the caller must `release`. False when it was queued: `wake` is
   * called when a slot is reserved for it.
   */
  acquire(botId: string, conversationId: string): boolean;
  release(botId: string): void;
  /** Releases the slot that was reserved for a conversation that has nothing to send any more. */
  cancel(conversationId: string): void;
  /** Whether the bot has a free slot for which no conversation waits. */
  hasFreeSlot(botId: string): boolean;
  /** Whether the conversation waits for a slot. */
  isQueued(conversationId: string): boolean;
  /** Records the result of an attempt: a bot whose last attempt failed gets fewer slots. */
  recordResult(botId: string, isSuccess: boolean): void;
}

export interface ConcurrencyLimiterOptions {
  /** Slots of all bots together; the default is 200. */
  total?: number | undefined;
  /** Slots of one bot; the default is 10. */
  perBot?: number | undefined;
  /** Slots of one bot whose last attempt failed. */
  perFailing?: number;
  wake(conversationId: string): void;
}

export const defaultWebhookSlots = { total: 200, perBot: 10 };

export function createConcurrencyLimiter({
  total = defaultWebhookSlots.total,
  perBot = defaultWebhookSlots.perBot,
  perFailing = 2,
  wake,
}: ConcurrencyLimiterOptions): ConcurrencyLimiter {
  const active = new Map<string, number>();
  const failing = new Set<string>();
  /** Queued conversations by bot; bots and conversations are in the order of their turn. */
  const waiting = new Map<string, Set<string>>();
  /** Conversation -> bot: slots of conversations that were woken and have not called `acquire` yet. */
  const reserved = new Map<string, string>();
  let activeTotal = 0;

  /**
   * A bot has at most as many slots as are free (dynamic thresholds of Choudhury and Hahne). However slow their receivers are,
   * n bots leave one part of n + 1 to the next bot, and one bot alone has at most half.
   */
  function hasCapacity(botId: string): boolean {
    const ofBot = active.get(botId) ?? 0;
    return ofBot < Math.min(total - activeTotal, failing.has(botId) ? perFailing : perBot);
  }

  function occupySlot(botId: string): void {
    activeTotal += 1;
    active.set(botId, (active.get(botId) ?? 0) + 1);
  }

  function release(botId: string): void {
    activeTotal -= 1;
    const remaining = (active.get(botId) ?? 1) - 1;
    if (remaining > 0) active.set(botId, remaining);
    else active.delete(botId);
    dispatch();
  }

  /** Reserves free slots for queued conversations and wakes them. */
  function dispatch(): void {
    for (;;) {
      const next = [...waiting].find(([botId]) => hasCapacity(botId));
      if (!next) return;
      const [botId, queue] = next;
      const [conversationId = ''] = queue;
      queue.delete(conversationId);
      // Moves the bot to the end of the order.
      waiting.delete(botId);
      if (queue.size > 0) waiting.set(botId, queue);
      occupySlot(botId);
      reserved.set(conversationId, botId);
      wake(conversationId);
    }
  }

  function cancel(conversationId: string): void {
    const botId = reserved.get(conversationId);
    if (botId === undefined) return;
    reserved.delete(conversationId);
    release(botId);
  }

  return {
    acquire(botId, conversationId) {
      if (reserved.get(conversationId) === botId) {
        reserved.delete(conversationId);
        return true;
      }
      cancel(conversationId);
      if (!waiting.has(botId) && hasCapacity(botId)) {
        occupySlot(botId);
        return true;
      }
      const queue = waiting.get(botId) ?? new Set();
      waiting.set(botId, queue.add(conversationId));
      return false;
    },
    hasFreeSlot: (botId) => !waiting.has(botId) && hasCapacity(botId),
    isQueued: (conversationId) =>
      reserved.has(conversationId) || [...waiting.values()].some((queue) => queue.has(conversationId)),
    release,
    cancel: cancel,
    recordResult(botId, isSuccess) {
      if (!isSuccess) failing.add(botId);
      else if (failing.delete(botId)) dispatch();
    },
  };
}
