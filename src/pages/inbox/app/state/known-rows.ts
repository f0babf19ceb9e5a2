// The rows that the page knows, and which conversations are gone: those that were deleted for good, and those that the member may
// not see until a row of them comes again.
import { batch, type ReadonlySignal, signal } from '@preact/signals';
import type { InboxRow } from '../../../../protocol/inbox.ts';

/** Creates the rows of a member; there are none yet. */
export function createKnownRows() {
  const rows = signal<ReadonlyMap<string, InboxRow>>(new Map());
  /** One set for each reset: copies for each of many deletions would take quadratic time. The object around it is new if a row goes. */
  const deleted = signal<{ readonly ids: Set<string> }>({ ids: new Set() });
  const hidden = signal<ReadonlySet<string>>(new Set());
  /** The last known revision of each conversation that was hidden: older responses that are on their way do not show it again. */
  const lastRevisions = new Map<string, number>();
  /** The conversations that were hidden since each read began that has not ended. */
  const reads = new Set<Set<string>>();

  const remove = (ids: readonly string[]) => {
    const remaining = new Map(rows.peek());
    for (const id of ids) remaining.delete(id);
    if (remaining.size < rows.peek().size) rows.value = remaining;
  };

  const unhide = (ids: readonly string[]) => {
    const remaining = new Set(hidden.peek());
    for (const id of ids) remaining.delete(id);
    if (remaining.size < hidden.peek().size) hidden.value = remaining;
  };

  return {
    rows: rows as ReadonlySignal<ReadonlyMap<string, InboxRow>>,
    /** Whether the conversation was deleted. Reading it while rendering subscribes. */
    isDeleted: (id: string): boolean => deleted.value.ids.has(id),
    /** Conversations that the member may not see any more. */
    hidden: hidden as ReadonlySignal<ReadonlySet<string>>,
    /** Whether nothing of the conversation may be added. */
    isGone: (id: string): boolean => deleted.peek().ids.has(id) || hidden.peek().has(id),
    /** `isPresent`: they are the states of now, also if nothing was written since: the visitor can have another name. */
    receive(found: readonly InboxRow[], isPresent = false) {
      const isShown = ({ conversationId, revision }: InboxRow) =>
        revision > (lastRevisions.get(conversationId) ?? -1);
      const shown = found.filter(isShown);
      batch(() => {
        rows.value = mergeRows(rows.peek(), shown, deleted.peek().ids, isPresent ? isNotOlder : isNewer);
        unhide(shown.map(({ conversationId }) => conversationId));
      });
      for (const hiddenSince of reads)
        for (const { conversationId } of shown) hiddenSince.delete(conversationId);
    },
    remove,
    /** Removes rows for good: an older response does not add them again. */
    removeDeleted(ids: readonly string[]) {
      const { ids: all } = deleted.peek();
      for (const id of ids) all.add(id);
      if (ids.some((id) => rows.peek().has(id))) deleted.value = { ids: all };
      remove(ids);
    },
    /** Keeps conversations out of the responses that are on their way. */
    hideFromReads(ids: readonly string[]) {
      for (const hiddenSince of reads) for (const id of ids) hiddenSince.add(id);
    },
    /** Removes rows until they come again. */
    hide(ids: readonly string[]) {
      for (const id of ids) {
        const { revision } = rows.peek().get(id) ?? {};
        if (revision !== undefined) lastRevisions.set(id, revision);
      }
      remove(ids);
      hidden.value = added(hidden.peek(), ids);
    },
    /** Something of the conversation may be added again. */
    unhide,
    /** Begins a read of rows. Its response must not show what is hidden until it ends, also if the page does not know it. */
    beginRead() {
      const hiddenSince = new Set<string>();
      reads.add(hiddenSince);
      return {
        shows: (id: string): boolean => !hiddenSince.has(id),
        end: () => void reads.delete(hiddenSince),
      };
    },
    reset() {
      rows.value = new Map();
      // A hidden conversation can be back.
      deleted.value = { ids: new Set() };
      hidden.value = new Set();
      lastRevisions.clear();
    },
  };
}

/** The same set if nothing is new, so that nothing is drawn again. */
function added(before: ReadonlySet<string>, ids: readonly string[]): ReadonlySet<string> {
  const all = new Set([...before, ...ids]);
  return all.size > before.size ? all : before;
}

/** Whether `next` is a later state of the conversation than `known`. */
export const isNewer = (next: InboxRow, previous: InboxRow | undefined): boolean =>
  !previous ||
  next.revision > previous.revision ||
  (next.revision === previous.revision && next.lastSeq > previous.lastSeq);

const isNotOlder: typeof isNewer = (next, previous) => !previous || !isNewer(previous, next);

/**
 * Returns the rows with the later state of each conversation; the same map if nothing is new. Deleted conversations
 * stay deleted. A row is a complete state, so neither order nor repetition matters.
 */
export function mergeRows(
  before: ReadonlyMap<string, InboxRow>,
  rows: readonly InboxRow[],
  deleted: ReadonlySet<string>,
  isLater = isNewer,
): ReadonlyMap<string, InboxRow> {
  let merged: Map<string, InboxRow> | undefined;
  for (const row of rows) {
    const id = row.conversationId;
    if (deleted.has(id) || !isLater(row, (merged ?? before).get(id))) continue;
    merged ??= new Map(before);
    merged.set(id, row);
  }
  return merged ?? before;
}

/**
 * Rows that the page has requested for a list or a conversation. They cause no alert, unlike rows that the server sends by itself.
 */
const asked = new WeakSet<InboxRow>();

/** Marks the rows, and returns them. */
export function markAsked(rows: readonly InboxRow[]): readonly InboxRow[] {
  for (const row of rows) asked.add(row);
  return rows;
}

export const isAsked = (row: InboxRow): boolean => asked.has(row);
