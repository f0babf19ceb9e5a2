// Shares the main thread between runs of agents: an agent can send events faster than they can be handled. One batch of events is
// handled between two turns of the event loop, and the bots take turns.
export interface BatchScheduler {
  /** Resolves when the next batch of events of a bot may be handled. */
  next(botId: string): Promise<void>;
}

export function createBatchScheduler(): BatchScheduler {
  /** The runs that wait, by their bots; the bot that comes next is the first. */
  const waiting = new Map<string, (() => void)[]>();
  let isPlanned = false;

  function plan(): void {
    if (isPlanned) return;
    isPlanned = true;
    setImmediate(grant);
  }

  function grant(): void {
    isPlanned = false;
    for (const [botId, runs] of waiting) {
      const next = runs.shift();
      // The bot goes to the end.
      waiting.delete(botId);
      if (runs.length > 0) waiting.set(botId, runs);
      next?.();
      break;
    }
    if (waiting.size > 0) plan();
  }

  return {
    next: (botId) =>
      new Promise((resolve) => {
        const runs = waiting.get(botId);
        if (runs) runs.push(resolve);
        else waiting.set(botId, [resolve]);
        plan();
      }),
  };
}
