// The index versions whose vectors are missing: one after the other of each bot in turn. It is in memory, because a
// start finds the same ones in the database.

export interface VersionQueue {
  add(botId: string, indexVersion: string): void;
  remove(botId: string, indexVersion: string): void;
  /** Returns the next version, of another bot than before if there is one. It stays in the queue. */
  next(): { botId: string; indexVersion: string } | undefined;
  /** The number of versions, of all bots or of one. */
  size(botId?: string): number;
}

export function createVersionQueue(): VersionQueue {
  /** In the order of turns. */
  const bots = new Map<string, Set<string>>();
  return {
    add(botId, indexVersion) {
      const versions = bots.get(botId) ?? new Set();
      versions.add(indexVersion);
      bots.set(botId, versions);
    },
    remove(botId, indexVersion) {
      const versions = bots.get(botId);
      versions?.delete(indexVersion);
      if (versions?.size === 0) bots.delete(botId);
    },
    next() {
      const [first] = bots;
      if (!first) return undefined;
      const [botId, versions] = first;
      // Both go to the end, so that a long file does not delay the others.
      bots.delete(botId);
      bots.set(botId, versions);
      const [indexVersion] = versions;
      if (indexVersion === undefined) return undefined;
      versions.delete(indexVersion);
      versions.add(indexVersion);
      return { botId, indexVersion };
    },
    size(botId) {
      if (botId !== undefined) return bots.get(botId)?.size ?? 0;
      let sum = 0;
      for (const versions of bots.values()) sum += versions.size;
      return sum;
    },
  };
}
