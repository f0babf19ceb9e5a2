// Chance that can be had again: the same seed gives the same numbers. Not for secrets.

export interface Random {
  /** A whole number from `least` to `most`, both included. */
  within(least: number, most: number): number;
}

/** mulberry32: 32 bits of state, good enough to pick moments. */
export function createRandom(seed: number): Random {
  let state = seed | 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return { within: (least, most) => least + Math.floor(next() * (most - least + 1)) };
}
