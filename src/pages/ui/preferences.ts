// Preferences of the member for this browser, which the inbox follows and the account changes.
import { type ReadonlySignal, signal } from '@preact/signals';

export interface Preferences {
  /** Single keys as shortcuts. */
  singleKeys: boolean;
  sound: boolean;
  /** Notifications of the browser while the page is not visible. */
  notifications: boolean;
}

const defaults: Preferences = { singleKeys: true, sound: true, notifications: false };

export interface PreferencesStore {
  readonly current: ReadonlySignal<Preferences>;
  change(next: Partial<Preferences>): void;
}

const key = 'inbox preferences';

/** The sections of the page share what is in a storage. */
const shared = new WeakMap<Storage, PreferencesStore>();

/** The preferences of this browser, and how to change them. */
export function preferencesIn(storage: Storage | undefined): PreferencesStore {
  const found = storage && shared.get(storage);
  if (found) return found;
  const created = createPreferences(storage);
  if (storage) shared.set(storage, created);
  return created;
}

function createPreferences(storage: Storage | undefined): PreferencesStore {
  let stored: unknown;
  try {
    stored = JSON.parse(storage?.getItem(key) ?? '{}');
  } catch {
    stored = {};
  }
  const current = signal<Preferences>({ ...defaults, ...(stored as Partial<Preferences>) });
  return {
    current,
    change(next) {
      current.value = { ...current.peek(), ...next };
      try {
        storage?.setItem(key, JSON.stringify(current.peek()));
      } catch {
        // Full or refused: they last as long as the page.
      }
    },
  };
}
