// The stored record of one chat in the visitor's browser, or in memory when the browser blocks storage.
import { isObject } from '../../protocol/page-api/field-kinds.ts';
import type { SessionStorage, StoredSession } from '../launcher-chat-interface.ts';

/** @param location selects the browser's storage; `key` is the key of the record. Reading never writes. */
export function createStorage(
  location: () => 'localStorage' | 'sessionStorage',
  key: string,
): SessionStorage {
  let memory: StoredSession | undefined;
  const read = (): StoredSession => {
    if (memory) return memory;
    try {
      const value: unknown = JSON.parse(window[location()].getItem(key) ?? '{}');
      return (isObject(value) && value) || {};
    } catch {
      // Blocked (the getter itself throws in sandboxed frames), or not our JSON: starts with an empty record.
      return {};
    }
  };
  return {
    read,
    clear() {
      memory = undefined;
      try {
        const items = window[location()];
        if (items.getItem(key) === null) return;
        // Other tabs take an empty record for a logout, and ignore a removed one.
        items.setItem(key, '{}');
        items.removeItem(key);
      } catch {
        // Blocked: nothing was stored.
      }
    },
    write(fields) {
      const merged = { ...read(), ...fields } as StoredSession;
      try {
        window[location()].setItem(key, JSON.stringify(merged, asIs));
        memory = undefined;
      } catch {
        // Blocked or full: this page view continues with the record in memory.
        memory = merged;
      }
    },
  };
}

/** For JSON.stringify: the values themselves, and not what a `toJSON` that the page has added to all objects returns. */
function asIs(this: Record<string, unknown>, key: string): unknown {
  return this[key];
}
