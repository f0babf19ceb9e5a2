// Limits the number of writes that run at the same time. Waiting writes run in the order of their requests.

export interface Turns {
  /** Runs `work` in its turn. `orGiveUp`: passes the wait of the turn on, and rejects when it takes too long. */
  <T>(work: () => Promise<T>, orGiveUp: (turn: Promise<void>) => Promise<void>): Promise<T>;
  /** The number of writes that wait for their turn. */
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
      // A write that ends passes its turn to the next one.
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
