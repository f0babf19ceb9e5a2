// Limits how many writes run at once. Those that wait run in the order of their requests.

/** `orGiveUp`: passes the wait of a turn on, and rejects when it takes too long. */
export function createTurns(
  max: number,
): <T>(work: () => Promise<T>, orGiveUp: (turn: Promise<void>) => Promise<void>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;

  const passOn = () => {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  };

  return async (work, orGiveUp) => {
    if (running < max) running += 1;
    else {
      let take = () => {};
      // The one that ends passes its turn on.
      const turn = new Promise<void>((resolve) => {
        take = resolve;
        waiting.push(resolve);
      });
      try {
        await orGiveUp(turn);
      } catch (error) {
        const place = waiting.indexOf(take);
        // It was this one's turn just now.
        if (place === -1) passOn();
        else waiting.splice(place, 1);
        throw error;
      }
    }
    try {
      return await work();
    } finally {
      passOn();
    }
  };
}
