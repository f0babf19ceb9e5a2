// Limits concurrent webhook requests in total and per bot, with a fair queue between bots. A bot whose last request
// failed gets fewer slots, so that it does not use up those of others. The queue holds ids only, so it can be long.
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
  /** Slots of all bots together. */
  total?: number;
  /** Slots of one bot. */
  perBot?: number;
  /** Slots of one bot whose last attempt failed. */
  perFailing?: number;
  /** How many processes share these slots. Each has at least one slot; the default is 1. */
  processes?: (() => number) | undefined;
  wake(conversationId: string): void;
}

export function createConcurrencyLimiter({
  total = 50,
  perBot = 10,
  perFailing = 2,
  processes = () => 1,
  wake,
}: ConcurrencyLimiterOptions): ConcurrencyLimiter {
  const active = new Map<string, number>();
  const failing = new Set<string>();
  /** Queued conversations by bot; bots and conversations are in the order of their turn. */
  const waiting = new Map<string, Set<string>>();
  /** Conversation -> bot: slots of conversations that were woken and have not called `acquire` yet. */
  const reserved = new Map<string, string>();
  let activeTotal = 0;

  function hasCapacity(botId: string): boolean {
    const ofBot = active.get(botId) ?? 0;
    return activeTotal < share(total) && ofBot < share(failing.has(botId) ? perFailing : perBot);
  }

  const share = (slots: number): number => Math.max(1, Math.floor(slots / Math.max(1, processes())));

  function occupySlot(botId: string): void {
    activeTotal += 1;
    active.set(botId, (active.get(botId) ?? 0) + 1);
  }

  function release(botId: string): void {
    activeTotal -= 1;
    const left = (active.get(botId) ?? 1) - 1;
    if (left > 0) active.set(botId, left);
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
