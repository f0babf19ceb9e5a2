// Limits how many writes run at once. Those that wait run in the order of their requests.

export interface Turns {
  /** Runs `work` in its turn. `orGiveUp`: passes the wait of the turn on, and rejects when it takes too long. */
  <T>(work: () => Promise<T>, orGiveUp: (turn: Promise<void>) => Promise<void>): Promise<T>;
  /** How many writes wait for their turn. */
  waiting(): number;
}

export function createTurns(max: number): Turns {
  const waiting: (() => void)[] = [];
  let running = 0;

  const passOn = () => {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  };

  const inTurn = async <T>(
    work: () => Promise<T>,
    orGiveUp: (turn: Promise<void>) => Promise<void>,
  ): Promise<T> => {
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
  return Object.assign(inTurn, { waiting: () => waiting.length });
}
