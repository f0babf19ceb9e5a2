// The limits that several processes count together, as far as one of them knows what the others use.

/** The usage of one limit by key. */
export interface SharedLimit {
  /** Records the usage of a key by this process: negative to return usage, 0 to only read the usage of others. */
  use(key: string, units: number): void;
  /**
   * Resolves at once if others know most of what this process used of a key, otherwise when they do. Never rejects.
   */
  settled(key: string): Promise<void> | undefined;
  /** The part of the limit that this process gives: all of it, or while others cannot be asked, its share. */
  share(): number;
  /**
   * Of `free` units of a key that are left, as far as this process knows, those that it may give: all, or while others cannot
   * be asked, its share of what was left when they last could, at least one.
   */
  available(key: string, free: number): number;
}

export interface SharedUsage {
  /**
   * Adds a limit. `limit`: the units of a key; `freed`: the units that become free in a second; `lifetime`: milliseconds
   * after which an unused count is forgotten. `onUsed` gets what all processes have used of a key, with what this process
   * has used since.
   */
  limit(
    name: string,
    options: { limit: number; freed: number; lifetime: number },
    onUsed: (key: string, used: number) => void,
  ): SharedLimit;
}
