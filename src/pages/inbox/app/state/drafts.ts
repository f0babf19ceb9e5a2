// The drafts of a member: one unsent text for each conversation and mode, stored in the browser immediately.
import { signal } from '@preact/signals';
import { type Chosen, moveChosen } from '../composer/mentions.ts';

/** A reply to the visitor, or a note for the team. */
export type Mode = 'reply' | 'note';

/** A draft of a mode belongs to a conversation; `edit`: the changed text of the note with this id. */
type DraftKind = Mode | 'edit';

export interface Drafts {
  /** Reading it while rendering subscribes. */
  textOf(id: string, kind: DraftKind): string;
  /** `chosen`: the members whose names were inserted into the text. */
  setText(id: string, kind: DraftKind, text: string, chosen?: readonly Chosen[]): void;
  chosenIn(id: string, kind: DraftKind): readonly Chosen[];
  /** Removes the text that was sent. Text that was added after it stays. A draft that no longer begins with it stays whole. */
  removeSent(id: string, kind: DraftKind, sent: string): void;
  /** The mode of the composer of a conversation. It stays until the member changes it. */
  modeOf(conversationId: string): Mode;
  setMode(conversationId: string, mode: Mode): void;
  /** Removes all of them, when the member signs out. */
  clear(): void;
}

/** Creates the drafts of a member in `storage`; without one, or if it is full, they live as long as the page. */
export function createDrafts(memberId: string, storage: Storage | undefined): Drafts {
  const prefix = `inbox draft ${memberId} `;
  const chosenPrefix = `inbox mentions ${memberId} `;
  const texts = signal<ReadonlyMap<string, string>>(read(storage, prefix));
  const names = new Map([...read(storage, chosenPrefix)].map(([key, text]) => [key, parseChosen(text)]));
  const modes = signal<ReadonlyMap<string, Mode>>(new Map());
  const keyOf = (id: string, kind: DraftKind) => `${kind} ${id}`;

  /** Keeps a text in the browser, or removes it if it is empty. */
  const store = (key: string, text: string) => {
    try {
      if (text) storage?.setItem(key, text);
      else storage?.removeItem(key);
    } catch {
      // Full or refused: the page still has it.
    }
  };

  const chosenIn: Drafts['chosenIn'] = (id, kind) => names.get(keyOf(id, kind)) ?? [];

  const setText: Drafts['setText'] = (id, kind, text, chosen = []) => {
    const key = keyOf(id, kind);
    if (chosen.length > 0 || names.has(key))
      store(chosenPrefix + key, chosen.length > 0 ? JSON.stringify(chosen) : '');
    // Before the text, whose change draws the box again.
    if (chosen.length > 0) names.set(key, chosen);
    else names.delete(key);
    const next = new Map(texts.peek());
    if (text) next.set(key, text);
    else next.delete(key);
    texts.value = next;
    store(prefix + key, text);
  };

  return {
    textOf: (id, kind) => texts.value.get(keyOf(id, kind)) ?? '',
    chosenIn,
    setText,
    removeSent(id, kind, sent) {
      const text = texts.peek().get(keyOf(id, kind)) ?? '';
      // Inserting removes blank characters at the end of what was there.
      const begin = sent.trimEnd();
      if (!text.startsWith(begin)) return;
      const rest = text.slice(begin.length).trimStart();
      setText(id, kind, rest, moveChosen(chosenIn(id, kind), text, rest, 0));
    },
    modeOf: (conversationId) => modes.value.get(conversationId) ?? 'reply',
    setMode(conversationId, mode) {
      modes.value = new Map(modes.peek()).set(conversationId, mode);
    },
    clear() {
      for (const key of texts.peek().keys()) storage?.removeItem(prefix + key);
      for (const key of names.keys()) storage?.removeItem(chosenPrefix + key);
      texts.value = new Map();
      names.clear();
    },
  };
}

/** Stored values of an earlier page; none if another program has changed them. */
function parseChosen(text: string): readonly Chosen[] {
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) ? (parsed as Chosen[]) : [];
  } catch {
    return [];
  }
}

function read(storage: Storage | undefined, prefix: string): Map<string, string> {
  const texts = new Map<string, string>();
  for (let i = 0; i < (storage?.length ?? 0); i++) {
    const key = storage?.key(i) ?? '';
    if (key.startsWith(prefix)) texts.set(key.slice(prefix.length), storage?.getItem(key) ?? '');
  }
  return texts;
}
