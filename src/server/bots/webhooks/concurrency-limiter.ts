// How many webhooks are asked at a time: so many in all, so many of one bot, in turn. One that does not answer gets
// fewer, so that it takes nobody's place. It knows conversations by id only, however many wait.

export interface Lanes {
  /**
   * True when the conversation may send now; what it took it has to `release`. False: it waits in line, and is woken
   * when it is its turn.
   */
  take(botId: string, conversationId: string): boolean;
  release(botId: string): void;
  /** The conversation that was woken has nothing to send after all. */
  decline(conversationId: string): void;
  /** What became of an attempt: a bot that failed last gets fewer lanes. */
  report(botId: string, isGood: boolean): void;
}

export interface LanesOptions {
  /** In all. */
  total?: number;
  /** Of one bot. */
  perBot?: number;
  /** Of one whose last attempt failed. */
  perFailing?: number;
  wake(conversationId: string): void;
}

export function createLanes({ total = 50, perBot = 10, perFailing = 2, wake }: LanesOptions): Lanes {
  const taken = new Map<string, number>();
  const failing = new Set<string>();
  /** Who waits, by bot; both in the order in which it is their turn. */
  const waiting = new Map<string, Set<string>>();
  /** Taken for a conversation that was woken and has not come yet. */
  const reserved = new Map<string, string>();
  let all = 0;

  const hasRoom = (botId: string): boolean =>
    all < total && (taken.get(botId) ?? 0) < (failing.has(botId) ? perFailing : perBot);

  function occupy(botId: string): void {
    all += 1;
    taken.set(botId, (taken.get(botId) ?? 0) + 1);
  }

  function release(botId: string): void {
    all -= 1;
    const left = (taken.get(botId) ?? 1) - 1;
    if (left > 0) taken.set(botId, left);
    else taken.delete(botId);
    admit();
  }

  /** Wakes those for whom there is room. */
  function admit(): void {
    for (;;) {
      const next = [...waiting].find(([botId]) => hasRoom(botId));
      if (!next) return;
      const [botId, line] = next;
      const [conversationId = ''] = line;
      line.delete(conversationId);
      // To the end of the bots.
      waiting.delete(botId);
      if (line.size > 0) waiting.set(botId, line);
      occupy(botId);
      reserved.set(conversationId, botId);
      wake(conversationId);
    }
  }

  function decline(conversationId: string): void {
    const botId = reserved.get(conversationId);
    if (botId === undefined) return;
    reserved.delete(conversationId);
    release(botId);
  }

  return {
    take(botId, conversationId) {
      if (reserved.get(conversationId) === botId) {
        reserved.delete(conversationId);
        return true;
      }
      decline(conversationId);
      if (!waiting.has(botId) && hasRoom(botId)) {
        occupy(botId);
        return true;
      }
      const line = waiting.get(botId) ?? new Set();
      waiting.set(botId, line.add(conversationId));
      return false;
    },
    release,
    decline,
    report(botId, isGood) {
      if (!isGood) failing.add(botId);
      else if (failing.delete(botId)) admit();
    },
  };
}
