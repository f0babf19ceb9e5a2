// Keeps what is expensive to make from one version of stored data, within a bound of bytes. It reads nothing itself.

export interface VersionCache<Value> {
  /**
   * The value under `key` for this version, or a later one; made by `make` when it is not there. Requests for the same
   * version at the same time share one `make`. What rejects is not kept.
   */
  get<V extends Value>(key: string, version: number, make: () => Promise<V>): Promise<V>;
  /** Bytes of the values that are kept. */
  readonly bytes: number;
}

interface Entry<Value> {
  version: number;
  value: Promise<Value>;
  /** 0 until the value is made. */
  bytes: number;
}

/** What an entry takes beside its value, so that many small ones are bounded, too. */
const overhead = 500;

/**
 * `maxBytes`: all values together; beyond it those that were not used for longest are forgotten. A value of more than
 * half of it is given out and not kept. `sizeOf`: bytes of a value. Versions of a key only grow.
 */
export function createVersionCache<Value>(
  maxBytes: number,
  sizeOf: (value: Value) => number,
): VersionCache<Value> {
  // In the order of use.
  const entries = new Map<string, Entry<Value>>();
  let total = 0;

  function remove(key: string, entry: Entry<Value>): void {
    if (entries.get(key) !== entry) return;
    entries.delete(key);
    total -= entry.bytes;
  }

  function keep(key: string, entry: Entry<Value>, value: Value): void {
    if (entries.get(key) !== entry) return;
    entry.bytes = sizeOf(value) + key.length + overhead;
    total += entry.bytes;
    if (entry.bytes > maxBytes / 2) remove(key, entry);
    for (const [oldest, other] of entries) {
      if (total <= maxBytes) break;
      // One without bytes is being made just now.
      if (other !== entry && other.bytes > 0) remove(oldest, other);
    }
  }

  return {
    get<V extends Value>(key: string, version: number, make: () => Promise<V>): Promise<V> {
      const found = entries.get(key);
      if (found && found.version >= version) {
        entries.delete(key);
        entries.set(key, found);
        // A key names values of one type.
        return found.value as Promise<V>;
      }
      if (found) remove(key, found);
      const value = make();
      const entry: Entry<Value> = { version, value, bytes: 0 };
      entries.set(key, entry);
      value.then(
        (made) => keep(key, entry, made),
        () => remove(key, entry),
      );
      return value;
    },
    get bytes() {
      return total;
    },
  };
}
