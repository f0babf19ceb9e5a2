// Stored tool calls of the tab (tab.ts), for a page that has not loaded the code of the tools: this file belongs to the
// bundle of the chat.
import type { Widget } from '../../launcher-chat-interface.ts';

function ofTools<T>({ storageKey }: Widget, use: (items: Storage, name: string) => T): T | undefined {
  try {
    return use(sessionStorage, `${storageKey} page-tools`);
  } catch {
    // Not allowed.
    return undefined;
  }
}

/** Whether the tab has begun to run a tool on an earlier page, which may have registered more than this one. */
export const hasBegunTool = (widget: Widget): boolean =>
  !!ofTools(widget, (items, name) => items.getItem(name)?.includes('claim'));

/** Removes what the tab knows of the tools of a visitor who is followed by another one. */
export function forgetTools(widget: Widget): void {
  ofTools(widget, (items, name) => items.removeItem(name));
  // Stores those of a visitor who was merged again.
  widget.pageTools?.forget();
}
