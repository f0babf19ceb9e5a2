// Which rows of a list are shown in which order: while the pointer or the focus is in the list, no row moves.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { InboxRow } from '../../../../protocol/inbox.ts';
import type { Inbox } from '../inbox.ts';
import type { ListView } from '../state/lists.ts';

/** Milliseconds after pointer and focus have left the list in which the order still stays. */
const idleMs = 2_000;

/**
 * The order that is shown after a change, while the list is in use: rows stay where they are, and those that come after the
 * last one are added (another page). Pure.
 */
export function heldOrder(shown: readonly string[], latest: readonly string[]): readonly string[] {
  if (shown.length === 0) return latest;
  const shownIds = new Set(shown);
  let last = -1;
  for (const [index, id] of latest.entries()) if (shownIds.has(id)) last = index;
  // Without a row in common everything is new.
  const added = last < 0 ? [] : latest.slice(last + 1);
  return added.length > 0 ? [...shown, ...added] : shown;
}

/** The open conversation stays at its place, also when it has left the list, such as one that was just taken. Pure. */
export function withCurrent(
  order: readonly string[],
  before: readonly string[],
  current: string | undefined,
): readonly string[] {
  const index = before.indexOf(current ?? '');
  if (!current || index < 0 || order.includes(current)) return order;
  return [...order.slice(0, index), current, ...order.slice(index)];
}

/** The rows to draw, how many are new and not drawn, and the handlers of the element that holds them. */
export function useShownRows(inbox: Inbox, view: ListView) {
  const { store } = inbox;
  const order = useRef<readonly string[]>([]);
  const isUsed = useRef(false);
  const seen = useRef(new Map<string, InboxRow>());
  const seenAfter = useRef(store.resets.value);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const [, drawAgain] = useState(0);

  // Forgotten rows may be rows that the member may not see any more.
  if (seenAfter.current !== store.resets.value) seen.current = new Map();
  seenAfter.current = store.resets.value;

  const listRows = store.listOf(view);
  // Of a thousand rows each step counts: nothing here is done again while only the position changes.
  const latest = useMemo(() => listRows.map((row) => row.conversationId), [listRows]);
  const { conversationId } = inbox.router.route.value;
  const before = order.current;
  const next = isUsed.current ? heldOrder(before, latest) : latest;
  order.current = useMemo(() => withCurrent(next, before, conversationId), [next, conversationId]);
  const shown = order.current;
  const storedRows = store.rows.value;
  const rows = useMemo(() => {
    const drawn: InboxRow[] = [];
    for (const id of shown) {
      // A deleted one stays in its place, and says so, until the order may change.
      const row = storedRows.get(id) ?? seen.current.get(id);
      if (!row) continue;
      seen.current.set(id, row);
      drawn.push(row);
    }
    return drawn;
  }, [shown, storedRows]);
  const newCount = useMemo(() => {
    const drawn = new Set(shown);
    return latest.filter((id) => !drawn.has(id)).length;
  }, [shown, latest]);

  const apply = () => {
    clearTimeout(timer.current);
    order.current = latest;
    drawAgain((n) => n + 1);
  };
  const enter = () => {
    clearTimeout(timer.current);
    isUsed.current = true;
  };
  const leave = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      isUsed.current = false;
      drawAgain((n) => n + 1);
    }, idleMs);
  };
  useEffect(() => () => clearTimeout(timer.current), []);

  return {
    rows,
    newCount,
    apply,
    handlers: {
      onPointerEnter: enter,
      onPointerLeave: ({ currentTarget }: { currentTarget: HTMLElement }) => {
        if (!currentTarget.contains(document.activeElement)) leave();
      },
      onFocusIn: enter,
      onFocusOut: ({ currentTarget, relatedTarget }: FocusEvent) => {
        const element = currentTarget as HTMLElement;
        if (!element.contains(relatedTarget as Node | null) && !element.matches(':hover')) leave();
      },
    },
  };
}
