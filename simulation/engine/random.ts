// Random numbers that a seed determines.

export interface Random {
  /** A number from 0 to 1, without 1. */
  next(): number;
  /** An integer from 0 to `limit`, without `limit`. */
  below(limit: number): number;
  /** True with this probability. */
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
  /** Another generator, whose numbers depend on its name and not on how many this one has given. */
  fork(name: string): Random;
}

/** Mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const random: Random = {
    next() {
      state = (state + 0x6d2b79f5) >>> 0;
      let mixed = Math.imul(state ^ (state >>> 15), state | 1);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
    },
    below: (limit) => Math.floor(random.next() * limit),
    chance: (probability) => random.next() < probability,
    pick(items) {
      if (items.length === 0) throw new Error('There is nothing to choose from.');
      return items[random.below(items.length)] as (typeof items)[number];
    },
    fork: (name) => createRandom(hash(`${seed} ${name}`)),
  };
  return random;
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const char of text) value = Math.imul(value ^ (char.codePointAt(0) ?? 0), 0x01000193);
  return value >>> 0;
}
