// The stored record of one chat in the visitor's browser, or in memory when the page wants that or the browser blocks storage.
import type { LauncherConfiguration } from '../../protocol/page-api/config.ts';
import { isObject } from '../../protocol/page-api/field-kinds.ts';
import type { SessionStorage, StoredSession } from '../launcher-chat-interface.ts';

/** The records that are not in the browser's storage. They stay until the page is left, also after `destroy()`. */
const memories: Record<string, StoredSession | undefined> = {};

/** @param location where the page wants the record; `key` is the key of the record. Reading never writes. */
export function createStorage(
  location: () => LauncherConfiguration['storageLocation'],
  key: string,
): SessionStorage {
  /** The record as this page has read or written it last: the browser may block storage while the page is open. */
  let last: StoredSession = {};
  const storage: SessionStorage = {
    read() {
      storage.place ??= location();
      if (memories[key]) return memories[key];
      try {
        const text = window[storage.place as 'localStorage'].getItem(key) as string;
        // Any other text than our JSON is an empty record.
        last = {};
        const value: unknown = JSON.parse(text);
        // `null` if there is none.
        last = (isObject(value) && value) || {};
      } catch {
        // Blocked (the getter itself throws in sandboxed frames), or `memory`: what this page knows, at first an empty record.
      }
      return last;
    },
    clear() {
      storage.read();
      memories[key] = undefined;
      last = {};
      try {
        // Tool calls that the tab has stored. Their code may not be loaded.
        sessionStorage.removeItem(`${key} page-tools`);
        const items = window[storage.place as 'localStorage'];
        // Other tabs take an empty record for a logout, and ignore a removed one.
        if (items.getItem(key)) items.setItem(key, '{}');
        items.removeItem(key);
      } catch {
        // Blocked, or `memory`: nothing was stored.
      }
    },
    write(fields) {
      memories[key] = last = { ...storage.read(), ...fields } as StoredSession;
      // Nothing is written from the moment that the page wants that, also while the record is not moved yet.
      if (location() === 'memory') return;
      try {
        window[storage.place as 'localStorage'].setItem(key, JSON.stringify(memories[key], asIs));
        memories[key] = undefined;
      } catch {
        // Blocked or full: this page view continues with the record in memory.
      }
    },
  };
  return storage;
}

/** For JSON.stringify: the values themselves, and not what a `toJSON` that the page has added to all objects returns. */
function asIs(this: Record<string, unknown>, key: string): unknown {
  return this[key];
}
