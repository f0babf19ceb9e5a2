// The drafts of a member: one unsent text for each conversation and mode, stored in the browser immediately.
import { type ReadonlySignal, signal } from '@preact/signals';

/** A reply to the visitor, or a note for the team. */
export type Mode = 'reply' | 'note';

/** A draft of a mode belongs to a conversation; `edit`: the changed text of a note, whose id stands for the conversation. */
type DraftKind = Mode | 'edit';

export interface Drafts {
  /** Reading it while rendering subscribes. */
  textOf(id: string, kind: DraftKind): string;
  setText(id: string, kind: DraftKind, text: string): void;
  /** The mode of the composer of a conversation. It stays until the member changes it. */
  modeOf(conversationId: string): Mode;
  setMode(conversationId: string, mode: Mode): void;
  /** Removes all of them, when the member signs out. */
  clear(): void;
}

/** Creates the drafts of a member in `storage`; without one, or if it is full, they live as long as the page. */
export function createDrafts(memberId: string, storage: Storage | undefined): Drafts {
  const prefix = `inbox draft ${memberId} `;
  const texts = signal<ReadonlyMap<string, string>>(read(storage, prefix));
  const modes = signal<ReadonlyMap<string, Mode>>(new Map());
  const keyOf = (id: string, kind: DraftKind) => `${kind} ${id}`;

  return {
    textOf: (id, kind) => texts.value.get(keyOf(id, kind)) ?? '',
    setText(id, kind, text) {
      const key = keyOf(id, kind);
      const next = new Map(texts.peek());
      if (text) next.set(key, text);
      else next.delete(key);
      texts.value = next;
      try {
        if (text) storage?.setItem(prefix + key, text);
        else storage?.removeItem(prefix + key);
      } catch {
        // Full or refused: the page still has it.
      }
    },
    modeOf: (conversationId) => modes.value.get(conversationId) ?? 'reply',
    setMode(conversationId, mode) {
      modes.value = new Map(modes.peek()).set(conversationId, mode);
    },
    clear() {
      for (const key of texts.peek().keys()) storage?.removeItem(prefix + key);
      texts.value = new Map();
    },
  };
}

function read(storage: Storage | undefined, prefix: string): Map<string, string> {
  const found = new Map<string, string>();
  for (let i = 0; i < (storage?.length ?? 0); i++) {
    const key = storage?.key(i) ?? '';
    if (key.startsWith(prefix)) found.set(key.slice(prefix.length), storage?.getItem(key) ?? '');
  }
  return found;
}

/** What the member has chosen for this browser. */
export interface Preferences {
  /** Single keys as shortcuts. */
  singleKeys: boolean;
  sound: boolean;
  /** Notifications of the browser while the page is not visible. */
  notifications: boolean;
}

const defaults: Preferences = { singleKeys: true, sound: true, notifications: false };

/** The preferences of this browser, and how to change them. */
export function createPreferences(storage: Storage | undefined): {
  readonly current: ReadonlySignal<Preferences>;
  change(next: Partial<Preferences>): void;
} {
  const key = 'inbox preferences';
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
