// Moves the stored record when the page changes `storageLocation`, or what `platform.consent()` says, while the chat runs.
import type { StoredSession, Widget } from '../../launcher-chat-interface.ts';

/** The chats whose `clear` removes the record from all places. */
const clearing = new WeakSet<Widget>();

/** Lets `clear` also remove a record that the visitor has from a time with another `storageLocation`. */
export function clearEverywhere(widget: Widget): void {
  if (clearing.has(widget)) return;
  clearing.add(widget);
  const { storage } = widget;
  const { clear } = storage;
  storage.clear = () => {
    clear();
    const place = storage.place ?? widget.configuration.storageLocation;
    for (const each of ['localStorage', 'sessionStorage'] as const) {
      storage.place = each;
      clear();
    }
    storage.place = place;
  };
}

/**
 * Moves the record of this chat to where the configuration wants it. From a storage that other tabs share it is removed,
 * and they take that for a logout: the conversation goes on in this tab.
 */
export function moveRecord(widget: Widget): void {
  if (widget.consent === true && widget.configuration.storageLocation === 'memory')
    widget.config({ configuration: { storageLocation: 'localStorage' } });
  const { storage, storageKey } = widget;
  const { storageLocation: to } = widget.configuration;
  const from = storage.place;
  if (!from || from === to) {
    removeRefused(widget);
    return;
  }
  const present = storage.read();
  const stored = readStored(to, storageKey);
  if (from !== 'memory') storage.clear();
  storage.place = to;
  const next = from === 'memory' ? choose(present, stored) : present;
  storage.write({ ...blank(present), ...next });
  // The session follows as if another tab had changed the record.
  const [oldValue, newValue] = [present, next].map((record) => JSON.stringify(record)) as [string, string];
  dispatchEvent(new StorageEvent('storage', { key: storageKey, oldValue, newValue }));
  removeRefused(widget);
}

/**
 * Without consent, also what earlier page views have stored is removed: a record that this page has not used, and what this tab
 * remembers of proactive messages and tools of the page.
 */
function removeRefused({ consent, storageKey }: Widget): void {
  if (consent !== false) return;
  for (const place of ['localStorage', 'sessionStorage'] as const) {
    try {
      const items = window[place];
      // Other tabs take an empty record for a logout, and ignore a removed one.
      if (items.getItem(storageKey)) items.setItem(storageKey, '{}');
      for (const part of ['', ' proactive', ' page-tools']) items.removeItem(storageKey + part);
    } catch {
      // Blocked: nothing was stored.
    }
  }
}

/**
 * The record after the page has allowed the browser's storage. A returning visitor resumes the stored conversation: where
 * the visitor's consent is asked for on each page view, the one in memory has just begun. Without a stored one the one in
 * memory goes on. A user that the page has identified is never replaced, and one of an earlier page view never resumed.
 */
function choose(present: StoredSession, stored: StoredSession): StoredSession {
  if (present.isNamed) return { ...(stored.named && { named: stored.named }), ...present };
  if (stored.isNamed) return { ...present, named: stored };
  if (!stored.userKey) return { ...stored, ...present };
  const { userKey, userId, conversationId, lostConversationId, readAt, ...visitor } = present;
  return { ...visitor, ...stored };
}

/** The record in a storage of the browser. */
function readStored(place: string, key: string): StoredSession {
  try {
    const value: unknown =
      place !== 'memory' && JSON.parse(window[place as 'localStorage'].getItem(key) ?? '{}');
    return value && typeof value === 'object' && !Array.isArray(value) ? value : {};
  } catch {
    return {};
  }
}

const blank = (record: StoredSession) =>
  Object.fromEntries(Object.keys(record).map((field) => [field, undefined]));
