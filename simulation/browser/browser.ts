// One browser of one visitor: the storage and the channels that its tabs share, and its network.
import type { Realm } from '../engine/realm.ts';
import type { CountedTarget } from './events.ts';

/** `full`: nothing more can be written. `blocked`: the page may not use it. */
export type StorageState = 'usable' | 'full' | 'blocked';

/** The part of a page that its browser knows. */
export interface BrowserPage {
  realm: Realm;
  window: CountedTarget;
  channels: Set<OpenChannel>;
}

export class Browser {
  readonly items = new Map<string, string>();
  readonly pages = new Set<BrowserPage>();
  storageState: StorageState = 'usable';
  /** A written record may be in the memory of a page only, or nowhere. */
  hasLostRecords = false;
  /** Milliseconds by which the clock of the device is ahead. */
  skew = 0;

  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  /** The pages that receive what one of them posts. */
  *others(page: BrowserPage): Generator<BrowserPage> {
    for (const other of this.pages) if (other !== page && other.realm.state !== 'ended') yield other;
  }
}

const error = (name: string) => new DOMException('The storage cannot be used.', name);

/** `localStorage` of a page: what one page writes, the others are told a moment later. */
export function localStorageOf(page: BrowserPage, browser: Browser): Storage {
  const change = (key: string | null, value: string | null) => {
    const oldValue = key === null ? null : (browser.items.get(key) ?? null);
    if (key === null) browser.items.clear();
    else if (value === null) browser.items.delete(key);
    else browser.items.set(key, value);
    if (key !== null && oldValue === value) return;
    for (const other of browser.others(page)) {
      const event = Object.assign(new Event('storage'), { key, oldValue, newValue: value });
      other.realm.after(1, () => other.window.dispatchEvent(event));
    }
  };
  return storageWith(browser.items, change, () => browser.storageState);
}

/** A storage of one page alone. */
export const sessionStorageOf = (items: Map<string, string>, browser: Browser): Storage =>
  storageWith(
    items,
    (key, value) => {
      if (key === null) items.clear();
      else if (value === null) items.delete(key);
      else items.set(key, value);
    },
    () => browser.storageState,
  );

function storageWith(
  items: Map<string, string>,
  change: (key: string | null, value: string | null) => void,
  state: () => StorageState,
): Storage {
  const check = () => {
    if (state() === 'blocked') throw error('SecurityError');
  };
  return {
    get length() {
      return items.size;
    },
    key: (index) => [...items.keys()][index] ?? null,
    getItem(key) {
      check();
      return items.get(key) ?? null;
    },
    setItem(key, value) {
      check();
      if (state() === 'full' && value.length > (items.get(key) ?? '').length)
        throw error('QuotaExceededError');
      change(key, String(value));
    },
    removeItem(key) {
      check();
      change(key, null);
    },
    clear() {
      check();
      change(null, null);
    },
  };
}

/** The `BroadcastChannel` of a page: messages arrive in their order, after a moment. */
export function channelsOf(page: BrowserPage, browser: Browser): new (name: string) => BroadcastChannel {
  return class {
    onmessage: ((event: { data: unknown }) => void) | null = null;
    readonly name: string;

    constructor(name: string) {
      this.name = name;
      page.channels.add(this as unknown as OpenChannel);
    }
    postMessage(data: unknown): void {
      if (!page.channels.has(this as unknown as OpenChannel)) throw error('InvalidStateError');
      for (const other of browser.others(page)) {
        for (const channel of other.channels) {
          if (channel.name !== this.name) continue;
          const copy = structuredClone(data);
          other.realm.after(3, () => other.channels.has(channel) && channel.onmessage?.({ data: copy }));
        }
      }
    }
    close(): void {
      page.channels.delete(this as unknown as OpenChannel);
    }
  } as unknown as new (
    name: string,
  ) => BroadcastChannel;
}

export interface OpenChannel {
  name: string;
  onmessage: ((event: { data: unknown }) => void) | null;
}
