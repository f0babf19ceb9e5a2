// The order of commits within this process, in which the effects of transactions run.

/** A position in the order. */
interface Turn {
  /** Resolves when the effects of all commits that were sent earlier have run. */
  before: Promise<void>;
  /** Lets the next one follow. */
  end(): void;
}

/**
 * Responses to commits of several connections can overtake each other. A transaction that waited for a lock of another
 * one sends its commit after the other one, so the order of sending is a valid order of the transactions.
 */
export function createCommitOrder(): { take(): Turn } {
  let last = Promise.resolve();
  return {
    take() {
      const before = last;
      let end = () => {};
      last = new Promise((resolve) => {
        end = resolve;
      });
      return { before, end };
    },
  };
}
