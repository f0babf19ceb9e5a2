// Follows the changes that the visitor's other tabs make to the stored record.
import type { SessionInternals } from '../context.ts';
import { sendDeferred } from '../conversation/deferred-messages.ts';
import { showDraft } from '../show-draft.ts';
import { parseRecord } from './parse-record.ts';

/** Applies changes of the record until `scope` ends. */
export function followRecord(internals: SessionInternals, scope: AbortSignal): void {
  addEventListener('storage', (event) => apply(internals, event), { signal: scope });
  // Two tabs may have started before they knew of each other.
  internals.syncFromStorage();
  void sendDeferred(internals, scope);
}

/** Applies changes of the record by another tab. (User and conversation are handled in the session.) */
function apply(internals: SessionInternals, { key, oldValue, newValue }: StorageEvent): void {
  const { widget, store, incoming } = internals;
  if (key !== widget.storageKey || !newValue) return;
  const [before, now] = [parseRecord(oldValue), parseRecord(newValue)];
  const ids = ({ unsent }: typeof now) =>
    [unsent ?? []].flat().map((message?: { id: string }) => message?.id);
  const removedIds = ids(before).filter((id) => !ids(now).includes(id));
  for (const { key: row, id, status } of store.state.rows) {
    // Discarded there, or sent: then its signal adds it again.
    if (removedIds.includes(row) && !id && status !== 'sending') store.remove(row);
  }
  if (before.readAt !== now.readAt && !widget.isOpen) incoming.countUnread();
  // Text that is being typed here is kept.
  const isTyping = document.hasFocus() && widget.frame.querySelector('textarea:focus');
  if (before.draft !== now.draft && !isTyping) showDraft(internals);
}
