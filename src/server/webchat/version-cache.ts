// A bounded in-memory cache of values that are derived from versioned data.
// Why not `lru-cache`: a value of an old version must never replace a newer one (decision 152).
export interface VersionCache<Value> {
  /**
   * The value of `key` for this version or a later one, created by `make` if it is not cached. Concurrent requests for
   * the same version share one `make`. Rejections are not cached.
   */
  get<V extends Value>(key: string, version: number, make: () => Promise<V>): Promise<V>;
  /** Bytes of the cached values. */
  readonly bytes: number;
}

interface Entry<Value> {
  version: number;
  value: Promise<Value>;
  /** 0 until the value has been created. */
  bytes: number;
}

/** Bytes of an entry in addition to its value, so that the number of small entries is bounded. */
const overhead = 500;

/**
 * `maxBytes`: the size of all values; beyond it the least recently used are evicted. A value of more than half of it is
 * returned but not cached. `sizeOf`: bytes of a value. Versions of a key only increase.
 */
export function createVersionCache<Value>(
  maxBytes: number,
  sizeOf: (value: Value) => number,
): VersionCache<Value> {
  // In order of last use.
  const entries = new Map<string, Entry<Value>>();
  let total = 0;

  function remove(key: string, entry: Entry<Value>): void {
    if (entries.get(key) !== entry) return;
    entries.delete(key);
    total -= entry.bytes;
  }

  function store(key: string, entry: Entry<Value>, value: Value): void {
    if (entries.get(key) !== entry) return;
    entry.bytes = sizeOf(value) + key.length + overhead;
    total += entry.bytes;
    if (entry.bytes > maxBytes / 2) remove(key, entry);
    for (const [oldest, other] of entries) {
      if (total <= maxBytes) break;
      // An entry without bytes is still being created.
      if (other !== entry && other.bytes > 0) remove(oldest, other);
    }
  }

  return {
    get<V extends Value>(key: string, version: number, make: () => Promise<V>): Promise<V> {
      const found = entries.get(key);
      if (found && found.version >= version) {
        entries.delete(key);
        entries.set(key, found);
        // All values of one key have the same type.
        return found.value as Promise<V>;
      }
      if (found) remove(key, found);
      const value = make();
      const entry: Entry<Value> = { version, value, bytes: 0 };
      entries.set(key, entry);
      value.then(
        (made) => store(key, entry, made),
        () => remove(key, entry),
      );
      return value;
    },
    get bytes() {
      return total;
    },
  };
}
