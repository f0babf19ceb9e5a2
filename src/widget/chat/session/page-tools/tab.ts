// What this tab of the browser knows: its name, and the calls that it has begun to run. It survives a reload, and is not shared with
// other tabs. A page that is not allowed to store anything keeps it in memory.
import { newId } from '../ids.ts';

interface Stored {
  id: string;
  /** What each call was claimed by, by the id of its interrupt. */
  begun: Record<string, string>;
}

export interface Tab {
  readonly id: string;
  /** What this tab has claimed a call by, before the page was loaded again; undefined if it has not begun to run it. */
  claimOf(callId: string): string | undefined;
  /** Notes that a call is about to run; undefined: that it is over. */
  note(callId: string, claim: string | undefined): void;
}

/** Calls that are noted: the oldest are over. */
const mostNoted = 20;

/** @param key of the chat: each chat of a page has its own. */
export function openTab(key: string): Tab {
  const name = `${key} page-tools`;
  let stored: Stored = { id: newId(), begun: {} };
  try {
    const { id, begun } = Object(JSON.parse(sessionStorage.getItem(name) ?? '{}')) as Partial<Stored>;
    if (typeof id === 'string' && /^[\w-]{1,64}$/.test(id))
      stored = { id, begun: Object.fromEntries(Object.entries(Object(begun))) };
  } catch {
    // Not allowed, or changed by other code.
  }
  const save = () => {
    try {
      sessionStorage.setItem(name, JSON.stringify(stored));
    } catch {
      // Not allowed.
    }
  };
  save();
  return {
    id: stored.id,
    claimOf(callId) {
      const claim: unknown = Object.hasOwn(stored.begun, callId) ? stored.begun[callId] : undefined;
      return typeof claim === 'string' ? claim : undefined;
    },
    note(callId, claim) {
      const others = Object.entries(stored.begun).filter(([id]) => id !== callId);
      const begun = claim === undefined ? others : [...others, [callId, claim]];
      stored = { ...stored, begun: Object.fromEntries(begun.slice(-mostNoted)) };
      save();
    },
  };
}
