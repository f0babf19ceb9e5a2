// The state of this tab of the browser: its name, and the calls that it has begun to run. It survives a reload, and is not shared with
// other tabs; duplicates of the tab begin with a copy. A page that is not allowed to store anything keeps it in memory.
import type { ClientToolAnswer } from '../../../protocol/types/interrupts.ts';
import { newId } from '../../chat/session/ids.ts';

/** A call that this tab has begun to run. */
export interface BegunCall {
  /** The id of the claim. */
  claim: string;
  /** The result, if the tool has ended. The server may not have it yet: a tool can leave the page. */
  answer?: ClientToolAnswer | undefined;
}

interface Stored {
  id: string;
  /** By the id of its interrupt. */
  begun: Record<string, BegunCall>;
}

export interface Tab {
  readonly id: string;
  /** Returns the id for the server, and stores it: the calls of what is sent now belong to it, also after a reload. */
  keepId(): string;
  /** A call that this tab has begun to run before the page was loaded again; undefined if it has not. */
  begunOf(callId: string): BegunCall | undefined;
  /** Notes that a call is about to run, or has run; undefined: that it is over. */
  note(callId: string, call: BegunCall | undefined): void;
  /** Removes everything, because the visitor is another one: the tab gets another id. */
  forget(): void;
}

/** Calls that are noted: the oldest are over. */
const maxNoted = 20;

/**
 * `key`: of the chat, because each chat of a page has its own. `isKept`: whether it may be written to the storage of the browser
 * now.
 */
export function openTab(key: string, isKept: () => boolean): Tab {
  const name = `${key} page-tools`;
  const blank = (): Stored => ({ id: newId(), begun: {} });
  let stored = blank();
  try {
    const text = (isKept() && sessionStorage.getItem(name)) || '{}';
    const { id, begun } = Object(JSON.parse(text)) as Partial<Stored>;
    if (typeof id === 'string' && /^[\w-]{1,64}$/.test(id))
      stored = { id, begun: Object.fromEntries(Object.entries(Object(begun))) };
  } catch {
    // Not allowed, or changed by other code.
  }
  const save = () => {
    try {
      if (isKept()) sessionStorage.setItem(name, JSON.stringify(stored));
    } catch {
      // Not allowed.
    }
  };
  return {
    get id() {
      return stored.id;
    },
    keepId() {
      save();
      return stored.id;
    },
    begunOf(callId) {
      const call = Object.hasOwn(stored.begun, callId) ? stored.begun[callId] : undefined;
      return typeof call?.claim === 'string' ? call : undefined;
    },
    note(callId, call) {
      const others = Object.entries(stored.begun).filter(([id]) => id !== callId);
      const begun = call === undefined ? others : [...others, [callId, call] as const];
      stored = { ...stored, begun: Object.fromEntries(begun.slice(-maxNoted)) };
      save();
    },
    forget() {
      stored = blank();
      try {
        sessionStorage.removeItem(name);
      } catch {
        // Not allowed.
      }
    },
  };
}
