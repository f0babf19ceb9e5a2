// Counts the slots of each key that this process has acquired, and knows how many other processes have.

/** A key with slots: a user, or a network. */
export interface SlotCounts {
  /** The slots that this process has. */
  own(key: string): number;
  /** The slots that other processes have, as far as this one knows. */
  others(key: string): number;
  /** The slots of this process that others do not know yet. */
  unknown(key: string): number;
  /** Acquires (1) or releases (-1) a slot of each key. */
  change(keys: readonly string[], by: 1 | -1): void;
  /**
   * Tells the others what this process has of these keys, and asks what they have. Returns false if they could not be asked.
   * Never rejects.
   */
  exchange(keys: readonly string[]): Promise<boolean>;
  /** Milliseconds after which this process knows the slots that others have released. */
  readonly releaseTimeMs: number;
}

/** The counts of a server that is one process. */
export function createLocalSlotCounts(): SlotCounts {
  const counts = new Map<string, number>();
  return {
    own: (key) => counts.get(key) ?? 0,
    others: () => 0,
    unknown: () => 0,
    change(keys, by) {
      for (const key of keys) {
        const count = (counts.get(key) ?? 0) + by;
        if (count === 0) counts.delete(key);
        else counts.set(key, count);
      }
    },
    exchange: async () => true,
    releaseTimeMs: 0,
  };
}
